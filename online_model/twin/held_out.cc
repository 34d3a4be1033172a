#include "online_model/twin/held_out.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

constexpr double kMostOff = 0.5;
// Of a message that is so much longer or shorter nobody sees it: libraries
// carry as much beside their own header. Shares of a few elements end in none
// at all, where no ratio says how far off they are.
constexpr double kFewBytes = 64;

double OffBy(double drawn, double is) {
  return is == 0 ? (drawn == 0 ? 0 : 1) : std::abs(drawn - is) / is;
}

// How far what there is may be from what is drawn, as a share of that: of the
// half, all of it again. As a share of what there is it is never more than all.
void AddOff(double drawn, double is, double* off, double* of_none) {
  const double least = std::min(drawn, is);
  if (least > 0) {
    *off = std::abs(drawn - is) / least;
  } else {
    *off = OffBy(drawn, is);
    *of_none = std::max(drawn, is);
  }
}

HeldOut OffBy(const SiteTraffic& drawn, const SiteTraffic& is) {
  HeldOut off;
  AddOff(drawn.messages, is.messages, &off.messages, &off.of_none.messages);
  AddOff(drawn.bytes, is.bytes, &off.bytes, &off.of_none.bytes);
  AddOff(drawn.partners, is.partners, &off.partners, &off.of_none.partners);
  return off;
}

bool IsFarOff(const SiteTraffic& drawn, const SiteTraffic& is) {
  const bool lengths = OffBy(drawn.bytes, is.bytes) > kMostOff &&
                       std::abs(drawn.bytes - is.bytes) >
                           kFewBytes * std::max(drawn.messages, is.messages);
  return OffBy(drawn.messages, is.messages) > kMostOff ||
         OffBy(drawn.partners, is.partners) > kMostOff || lengths;
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

std::string CallsText(const SiteTraffic& t) {
  return std::to_string(int64_t(t.messages)) + " calls with " +
         std::to_string(int64_t(t.bytes)) + " bytes in all";
}

SiteTraffic At(const TrafficBySite& traffic, const SiteKey& site) {
  const auto it = traffic.find(site);
  return it == traffic.end() ? SiteTraffic() : it->second;
}

// Half the width that the fit says, or what the held-out run was off.
double Width(const Fitted& fit, double value, double off, double of_none) {
  return std::max({fit.half_width, off * value, of_none});
}

// Around what is drawn, which need not be what the fit says.
double CountWidth(const Fitted& fit, double value, double off, double of_none) {
  const double apart = std::abs(fit.value - value);
  return std::max(apart + fit.half_width, Width(fit, value, off, of_none));
}

// Shares are whole elements: however good a fit to small runs is, each message
// may be one longer or shorter. And there may be more or fewer of them.
double BytesWidth(const SiteFit& fit, const SiteTraffic& is, const HeldOut& off,
                  const Exchange& exchange, double messages_width) {
  const double element = exchange.amounts ? is.messages * fit.element_bytes : 0;
  const double by_messages =
      is.messages > 0 ? is.bytes * messages_width / is.messages : 0;
  return std::max({Width(fit.bytes, is.bytes, off.bytes, off.of_none.bytes),
                   element, by_messages});
}

// Any of it may be left out.
void WidenToAll(reduction::SiteEstimate* e) {
  e->messages_width = std::max(e->messages_width, e->messages);
  e->bytes_width = std::max(e->bytes_width, e->bytes);
  e->partners_width = std::max(e->partners_width, e->partners);
}

// How much further away the target is than the held-out size was: errors grow
// by doublings.
double Distance(std::span<const InputRun> inputs, int64_t ranks) {
  if (inputs.size() < 2) return 1;
  const auto last = double(inputs.back().ranks);
  const auto before = double(inputs[inputs.size() - 2].ranks);
  return std::max(1.0,
                  std::log(double(ranks) / last) / std::log(last / before));
}

HeldOut Further(HeldOut off, double distance, double more_ranks) {
  off.messages *= distance;
  off.bytes *= distance;
  off.partners *= distance;
  // What was drawn of nothing grows as programs do: with their ranks.
  off.of_none.messages *= more_ranks;
  off.of_none.bytes *= more_ranks;
  off.of_none.partners *= more_ranks;
  return off;
}

// Of all calls, both ends of each message.
SiteTraffic TrafficOfAll(const TwinTree& tree, const InputRun& run) {
  Exchange all;
  all.irregular = true;
  for (const auto& item : tree.nodes) {
    if (item.like->is_event()) all.sites.push_back(SiteOf(*item.like));
  }
  SiteTraffic sum;
  for (const auto& [site, t] : TrafficOf(tree, all, run)) AddTo(&sum, t);
  return sum;
}

// The program as it is but for what of it is drawn.
SiteTraffic WithDrawn(SiteTraffic all, const SiteTraffic& drawn,
                      const SiteTraffic& real) {
  all.messages += drawn.messages - real.messages;
  all.bytes += drawn.bytes - real.bytes;
  all.partners += drawn.partners - real.partners;
  return all;
}

Status CheckGraphs(const TwinTree& tree, const TwinPlan& plan,
                   const InputRun& is, const Trace& last) {
  for (size_t n = 0; n < tree.nodes.size(); ++n) {
    if (!plan.graphs.Draws(int(n))) continue;
    SiteTraffic drawn, real;
    drawn.partners = plan.graphs.EdgesOf(int(n));
    real.partners = DrawnGraphs::EdgesOf(is, int(n));
    if (!IsFarOff(drawn, real)) continue;
    return Status::No(
        "the graph of " +
        NameOfSite(tree, SiteOf(*tree.nodes[n].like), last.sites) + " has " +
        std::to_string(int64_t(real.partners)) +
        " edges in the held-out run of " + std::to_string(last.meta.ranks) +
        " ranks, and was drawn with " +
        std::to_string(int64_t(drawn.partners)));
  }
  return Status::Ok();
}

}  // namespace

Result<DrawnHeldOut> DrawHeldOut(const TwinTree& tree, const Trace& last,
                                 const InputRun& is, const Grid& grid,
                                 std::vector<InputRun>* smaller,
                                 uint64_t seed) {
  EdgeStore store;
  const auto plan = PlanTwin(tree, last.sites, smaller, grid, seed, &store);
  if (!plan.ok()) return plan.status();
  const auto made = CountTwinTraffic(*plan, last, grid);
  if (!made.ok()) return made.status();
  DrawnHeldOut drawn_as;
  Status first_far_off;
  const SiteTraffic all = TrafficOfAll(tree, is);
  SiteTraffic with_drawn = all;
  for (const DrawnExchange& e : plan->exchanges) {
    // All its sites together: what one branch of the program does seldom may
    // not be done at this size at all, which its own interval then says.
    SiteTraffic all_drawn, all_real;
    for (const auto& [site, real] : TrafficOf(tree, e.exchange, is)) {
      const SiteTraffic drawn = At(made->traffic, site);
      drawn_as.off[site] = OffBy(drawn, real);
      AddTo(&all_drawn, drawn);
      AddTo(&all_real, real);
    }
    with_drawn = WithDrawn(with_drawn, all_drawn, all_real);
    if (!first_far_off.ok() || !IsFarOff(all_drawn, all_real)) continue;
    first_far_off =
        Status::No("of " + NameOfSite(tree, e.exchange.sites[0], last.sites) +
                   " the held-out run of " + std::to_string(last.meta.ranks) +
                   " ranks has " + TrafficText(all_real) +
                   ", and was drawn with " + TrafficText(all_drawn));
  }
  if (!plan->groups.empty()) {
    SiteTraffic all_drawn, all_real;
    for (const auto& [site, real] : TrafficOfParts(tree, is)) {
      AddTo(&all_drawn, At(made->traffic, site));
      AddTo(&all_real, real);
    }
    if (IsFarOff(all_drawn, all_real)) {
      drawn_as.parts = Status::No(
          "of what parts of the ranks call together the held-out run of " +
          std::to_string(last.meta.ranks) + " ranks has " +
          CallsText(all_real) + ", and was drawn with " + CallsText(all_drawn));
    }
  }
  if (drawn_as.parts.ok()) drawn_as.parts = CheckGraphs(tree, *plan, is, last);
  // A part of a program that is done at some sizes alone leaves the rest of it
  // right, and has the width that this says.
  if (IsFarOff(with_drawn, all)) drawn_as.messages = first_far_off;
  return drawn_as;
}

std::vector<reduction::SiteEstimate> EstimatesOf(
    const TwinTree& tree, const TwinPlan& plan,
    std::span<const InputRun> inputs, const reduction::Sites& sites,
    const MadeTwin& made, const HeldOutBySite& off,
    const std::set<SiteKey>& vanishing) {
  std::map<SiteKey, reduction::SiteEstimate> found;
  const double by_distance = Distance(inputs, plan.ranks);
  const double more_ranks =
      std::max(1.0, double(plan.ranks) / double(inputs.back().ranks));
  for (const auto& item : tree.nodes) {
    if (item.like->is_event() && item.IsOpen()) found[SiteOf(*item.like)];
  }
  for (const auto& [node, param] : plan.by_like) {
    found[SiteOf(*tree.nodes[node].like)];
  }
  for (const SiteKey& site : DrawnGroupSites(tree, plan)) found[site];
  for (const SiteKey& site : made.marked) found[site];
  for (const DrawnExchange& of : plan.exchanges) {
    const bool vanishes = std::ranges::any_of(
        of.exchange.sites,
        [&](const SiteKey& site) { return vanishing.contains(site); });
    for (const auto& [site, fit] :
         FitSites(tree, of.exchange, inputs, {plan.ranks, plan.sides})) {
      const SiteTraffic is = At(made.traffic, site);
      const auto by = off.find(site);
      const HeldOut h = by == off.end()
                            ? HeldOut()
                            : Further(by->second, by_distance, more_ranks);
      reduction::SiteEstimate& e = found[site];
      e.messages = is.messages;
      e.messages_width =
          CountWidth(fit.messages, is.messages, h.messages, h.of_none.messages);
      e.bytes = is.bytes;
      e.bytes_width = BytesWidth(fit, is, h, of.exchange, e.messages_width);
      e.partners = is.partners;
      e.partners_width =
          CountWidth(fit.partners, is.partners, h.partners, h.of_none.partners);
      if (vanishes) WidenToAll(&e);
      // Who may have no message may have no partner.
      if (e.messages_width >= e.messages) {
        e.partners_width = std::max(e.partners_width, e.partners);
      }
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
