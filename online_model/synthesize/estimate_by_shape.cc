#include "online_model/api/estimate_by_shape.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "online_model/structure/grid.h"
#include "online_model/synthesize/site_sums.h"
#include "reduction/api/losses.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::SiteEstimate;
using reduction::Status;
using reduction::Trace;

// All that may follow the grid, also where they only say what later calls send,
// as persistent ones. Of what they send nothing more is known than that there
// may be none of it, or twice as much.
std::vector<SiteEstimate> AllOf(const SumsBySite& taken) {
  std::vector<SiteEstimate> all;
  for (const auto& [name, site] : taken) {
    if (site.family == reduction::Family::kEnvironment) continue;
    const auto pairs = double(site.pairs.size());
    all.push_back({name.first, name.second, site.messages, site.messages,
                   site.bytes, site.bytes, pairs, pairs});
  }
  return all;
}

void SayEstimates(Extrapolation* made) {
  reduction::Meta& meta = made->trace.meta;
  meta.estimates = made->report.estimates;
  if (meta.estimates.empty()) return;
  meta.losses[reduction::kLossByEstimates] = meta.estimates.size();
}

// The call sites that are not the same in all others, the first ones' numbers
// with the distance of the furthest other.
std::vector<SiteEstimate> Differences(const SumsBySite& taken,
                                      const std::vector<SumsBySite>& others) {
  std::vector<SiteEstimate> all;
  for (const auto& [name, site] : taken) {
    SiteEstimate e{name.first, name.second};
    e.messages = site.messages;
    e.bytes = site.bytes;
    e.partners = double(site.pairs.size());
    bool differs = false;
    for (const SumsBySite& sites : others) {
      const auto found = sites.find(name);
      const SiteSums other = found == sites.end() ? SiteSums() : found->second;
      differs = differs || other.hash != site.hash;
      const auto widen = [](double* width, double a, double b) {
        *width = std::max(*width, std::abs(a - b));
      };
      widen(&e.messages_width, e.messages, other.messages);
      widen(&e.bytes_width, e.bytes, other.bytes);
      widen(&e.partners_width, e.partners, double(other.pairs.size()));
    }
    if (differs) all.push_back(std::move(e));
  }
  return all;
}

}  // namespace

Status MarkAllAsEstimated(Extrapolation* made) {
  const auto sites = SumSites(made->trace);
  if (!sites.ok()) return sites.status();
  made->report.estimates = AllOf(*sites);
  made->report.estimated += std::exchange(made->report.exact, 0);
  SayEstimates(made);
  return Status::Ok();
}

Result<Extrapolation> EstimateByShape(
    std::span<const Trace> inputs, const ExtrapolationRequest& request,
    const std::vector<std::vector<int64_t>>& shapes) {
  if (request.symbolic) {
    return Status::No("laws for any number of ranks are not estimated");
  }
  ExtrapolationRequest on_shape = request;
  on_shape.tell_shapes = {};
  if (!on_shape.searches) on_shape.searches = std::make_shared<LawSearches>();
  std::vector<Extrapolation> made;
  std::vector<SumsBySite> sites;
  Status why = Status::No("no shape is known");
  for (const auto& dims : shapes) {
    on_shape.dims = dims;
    auto one = Extrapolate(inputs, on_shape);
    if (!one.ok()) {
      if (made.empty()) why = one.status();
      continue;
    }
    auto seen = SumSites(one->trace);
    if (!seen.ok()) return seen.status();
    made.push_back(std::move(*one));
    sites.push_back(std::move(*seen));
  }
  if (made.empty()) return why;
  Extrapolation out = std::move(made[0]);
  const SumsBySite taken = std::move(sites[0]);
  sites.erase(sites.begin());
  // A side that all runs have alike leaves laws for one of the grids alone.
  const bool have_all = made.size() == shapes.size();
  if (have_all) out.report.estimates = Differences(taken, sites);
  // Laws that say the same on all of them took such a side for a number.
  if (out.report.estimates.empty()) out.report.estimates = AllOf(taken);
  out.report.shapes = shapes;
  const auto first = std::find(out.report.shapes.begin(),
                               out.report.shapes.end(), out.report.dims);
  std::rotate(out.report.shapes.begin(), first, first + 1);
  SayEstimates(&out);
  out.report.laws = out.trace.meta.laws;
  return out;
}

}  // namespace ranksight::online_model
