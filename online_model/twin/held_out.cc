#include "online_model/twin/held_out.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "online_model/twin/twin_trace.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

constexpr double kMostOff = 0.5;

double OffBy(double drawn, double is) {
  return is == 0 ? (drawn == 0 ? 0 : 1) : std::abs(drawn - is) / is;
}

HeldOut OffBy(const SiteTraffic& drawn, const SiteTraffic& is) {
  return {OffBy(drawn.messages, is.messages), OffBy(drawn.bytes, is.bytes),
          OffBy(drawn.partners, is.partners)};
}

void AddTo(SiteTraffic* sum, const SiteTraffic& t) {
  sum->messages += t.messages;
  sum->bytes += t.bytes;
  sum->partners += t.partners;
}

std::string TrafficText(const SiteTraffic& t) {
  return std::to_string(int64_t(t.messages)) + " messages of " +
         std::to_string(int64_t(t.bytes)) + " bytes in all between " +
         std::to_string(int64_t(t.partners)) + " pairs";
}

SiteTraffic At(const TrafficBySite& traffic, const SiteKey& site) {
  const auto it = traffic.find(site);
  return it == traffic.end() ? SiteTraffic() : it->second;
}

// Half the width that the fit says, or what the held-out run was off.
double Width(const Fitted& fit, double value, double off) {
  return std::max(fit.half_width, off * value);
}

}  // namespace

Result<HeldOutBySite> DrawHeldOut(const TwinTree& tree, const Trace& last,
                                  const InputRun& is, const Grid& grid,
                                  std::vector<InputRun>* smaller,
                                  uint64_t seed) {
  EdgeStore store;
  const auto plan = PlanTwin(tree, last.sites, smaller, grid, seed, &store);
  if (!plan.ok()) return plan.status();
  const auto made = CountTwinTraffic(*plan, last, grid);
  if (!made.ok()) return made.status();
  HeldOutBySite off;
  for (const DrawnExchange& e : plan->exchanges) {
    // All its sites together: what one branch of the program does seldom may
    // not be done at this size at all, which its own interval then says.
    SiteTraffic all_drawn, all_real;
    for (const auto& [site, real] : TrafficOf(tree, e.exchange, is)) {
      const SiteTraffic drawn = At(made->traffic, site);
      off[site] = OffBy(drawn, real);
      AddTo(&all_drawn, drawn);
      AddTo(&all_real, real);
    }
    const HeldOut all = OffBy(all_drawn, all_real);
    if (std::max({all.messages, all.bytes, all.partners}) <= kMostOff) continue;
    return Status::No(
        "of " + NameOfSite(tree, e.exchange.sites[0], last.sites) +
        " the held-out run of " + std::to_string(last.meta.ranks) +
        " ranks has " + TrafficText(all_real) + ", and was drawn with " +
        TrafficText(all_drawn));
  }
  return off;
}

std::vector<reduction::SiteEstimate> EstimatesOf(
    const TwinTree& tree, const TwinPlan& plan,
    std::span<const InputRun> inputs, const reduction::Sites& sites,
    const TrafficBySite& drawn, const HeldOutBySite& off) {
  std::map<SiteKey, reduction::SiteEstimate> found;
  for (const auto& item : tree.nodes) {
    if (item.like->is_event() && item.IsOpen()) found[SiteOf(*item.like)];
  }
  for (const DrawnExchange& e : plan.exchanges) {
    for (const auto& [site, fit] :
         FitSites(tree, e.exchange, inputs, plan.ranks)) {
      const SiteTraffic is = At(drawn, site);
      const auto by = off.find(site);
      const HeldOut h = by == off.end() ? HeldOut() : by->second;
      found[site] = {"",          "",
                     is.messages, Width(fit.messages, is.messages, h.messages),
                     is.bytes,    Width(fit.bytes, is.bytes, h.bytes),
                     is.partners, Width(fit.partners, is.partners, h.partners)};
    }
  }
  std::vector<reduction::SiteEstimate> estimates;
  for (auto& [site, e] : found) {
    e.call = reduction::Info(site.first).name;
    e.site = reduction::ToString(sites, site.second);
    estimates.push_back(std::move(e));
  }
  return estimates;
}

}  // namespace ranksight::online_model
