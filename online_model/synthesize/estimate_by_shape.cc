#include "online_model/api/estimate_by_shape.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "online_model/structure/grid.h"
#include "reduction/api/losses.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::online_model {
namespace {

using reduction::Event;
using reduction::Request;
using reduction::Result;
using reduction::SiteEstimate;
using reduction::Status;
using reduction::Trace;

// Events of a trace that is walked, some seconds' worth.
constexpr uint64_t kMostWalked = 5'000'000;

// Call and call site, as SiteEstimate names them.
using SiteName = std::pair<std::string, std::string>;

// What all ranks do at a call site.
struct AtSite {
  reduction::Family family = reduction::Family::kEnvironment;
  double messages = 0, bytes = 0;
  std::set<std::pair<int64_t, int64_t>> pairs;
  // Of all events, in the order of ranks, and of each rank's.
  uint64_t hash = 0;
};
using AtSites = std::map<SiteName, AtSite>;

uint64_t Mixed(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccd;
}

void AddMessage(int64_t rank, const Request& message, AtSite* site) {
  const bool is_both = message.kind == Request::Kind::kBoth;
  if (!is_both && message.kind != Request::Kind::kSend) return;
  const int64_t to = is_both ? message.send_peer : message.peer;
  if (reduction::IsSpecial(to)) return;
  site->messages += 1;
  site->bytes += double(is_both ? message.send_bytes : message.bytes);
  site->pairs.insert({rank, to});
}

void AddEvent(int64_t rank, const Event& event, AtSite* site) {
  site->hash = Mixed(site->hash, uint64_t(rank));
  for (const int64_t value : event.values()) {
    site->hash = Mixed(site->hash, uint64_t(value));
  }
  const auto& info = reduction::Info(event.call());
  site->family = info.family;
  if (info.family == reduction::Family::kPointToPoint) {
    AddMessage(rank, reduction::MessageOf(event), site);
  } else if (info.collective) {
    site->messages += 1;
    site->bytes += double(reduction::SendBytes(event));
  }
}

Result<AtSites> SeeSites(const Trace& trace) {
  if (reduction::CountEvents(trace) > kMostWalked) {
    return Status::No("a trace of more than " + std::to_string(kMostWalked) +
                      " events is not held against that on another grid");
  }
  AtSites sites;
  std::map<std::pair<reduction::Call, uint32_t>, AtSite*> known;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto walk = reduction::RankWalk::Open(trace, rank);
    if (!walk.ok()) return walk.status();
    while (walk->Next()) {
      const Event& event = walk->event();
      AtSite*& site = known[{event.call(), event.site}];
      if (site == nullptr) {
        site = &sites[{std::string(reduction::Info(event.call()).name),
                       ToString(trace.sites, event.site)}];
      }
      AddEvent(rank, event, site);
    }
    if (!walk->status().ok()) return walk->status();
  }
  return sites;
}

// All that may follow the grid, also where they only say what later calls send,
// as persistent ones. Of what they send nothing more is known than that there
// may be none of it, or twice as much.
std::vector<SiteEstimate> AllOf(const AtSites& taken) {
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
std::vector<SiteEstimate> Differences(const AtSites& taken,
                                      const std::vector<AtSites>& others) {
  std::vector<SiteEstimate> all;
  for (const auto& [name, site] : taken) {
    SiteEstimate e{name.first, name.second};
    e.messages = site.messages;
    e.bytes = site.bytes;
    e.partners = double(site.pairs.size());
    bool differs = false;
    for (const AtSites& sites : others) {
      const auto found = sites.find(name);
      const AtSite other = found == sites.end() ? AtSite() : found->second;
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
  const auto sites = SeeSites(made->trace);
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
  std::vector<AtSites> sites;
  Status why = Status::No("no shape is known");
  for (const auto& dims : shapes) {
    on_shape.dims = dims;
    auto one = Extrapolate(inputs, on_shape);
    if (!one.ok()) {
      if (made.empty()) why = one.status();
      continue;
    }
    auto seen = SeeSites(one->trace);
    if (!seen.ok()) return seen.status();
    made.push_back(std::move(*one));
    sites.push_back(std::move(*seen));
  }
  if (made.empty()) return why;
  Extrapolation out = std::move(made[0]);
  const AtSites taken = std::move(sites[0]);
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
