#include "online_model/twin/join_ranks.h"

#include <string>
#include <utility>

#include "online_model/synthesize/symbolic.h"
#include "online_model/synthesize/time_ladder.h"
#include "reduction/api/condense.h"
#include "reduction/api/losses.h"
#include "reduction/api/merge.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

}  // namespace

std::vector<uint32_t> AddSites(const reduction::Sites& sites,
                               reduction::Folder* folder) {
  for (const auto& module : sites.modules) folder->AddModule(module);
  std::vector<uint32_t> numbers;
  for (const auto& site : sites.sites) numbers.push_back(folder->AddSite(site));
  return numbers;
}

Status JoinLast(std::vector<Trace>* parts) {
  Trace right = std::move(parts->back());
  parts->pop_back();
  auto both = reduction::Merge(std::move(parts->back()), std::move(right));
  if (!both.ok()) return both.status();
  parts->back() = std::move(*both);
  return Status::Ok();
}

Status JoinAsCounted(int64_t n, std::vector<Trace>* parts) {
  for (; n % 2 == 0; n /= 2) {
    if (Status s = JoinLast(parts); !s.ok()) return s;
  }
  return Status::Ok();
}

Result<Trace> JoinAll(std::vector<Trace> parts) {
  while (parts.size() > 1) {
    if (Status s = JoinLast(&parts); !s.ok()) return s;
  }
  reduction::Canonicalize(&parts[0]);
  reduction::Condense(&parts[0]);
  return std::move(parts[0]);
}

void NumberSitesAs(const reduction::Sites& sites, Trace* made) {
  std::vector<uint32_t> mine, theirs;
  const reduction::Sites both =
      reduction::Unite(made->sites, sites, &mine, &theirs);
  if (!(both == sites)) return;
  ForEachEvent(made->root, [&](reduction::Node& n) { n.site = mine[n.site]; });
  made->sites = sites;
}

void SetMetaOfTwin(const Trace& like, int64_t ranks, Extrapolation* twin) {
  Trace& made = twin->trace;
  NumberSitesAs(like.sites, &made);
  made.meta = like.meta;
  made.meta.job += "-to-" + std::to_string(ranks);
  MarkAsMadeAt(ranks, &made.meta);
  ScaleTimes({}, like, &made);
  made.meta.estimates = twin->report.estimates;
  made.meta.losses[reduction::kLossByEstimates] = made.meta.estimates.size();
}

}  // namespace ranksight::online_model
