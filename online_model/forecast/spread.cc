#include <cmath>
#include <map>
#include <string>

#include "online_model/api/forecast.h"
#include "reduction/api/rank_loads.h"
#include "reduction/api/totals.h"

namespace ranksight::online_model {
namespace {

constexpr double kSecondsPerNs = 1e-9;

OverRanks SecondsOf(const reduction::Moments& ranks) {
  return {ranks.min * kSecondsPerNs, ranks.Mean() * kSecondsPerNs,
          ranks.max * kSecondsPerNs,
          std::sqrt(ranks.Variance()) * kSecondsPerNs};
}

// Of each call and site. By events, as one site's may differ in what the least
// is: of a loop's first turn, or of messages of another size.
void SetWaiting(const reduction::Trace& run, Forecast* f) {
  struct InCall {
    double waiting = 0, all = 0;
  };
  std::map<SiteSpread*, InCall> sums;
  reduction::ForEachEvent(run.root, [&](const reduction::Node& event) {
    const auto at = f->spreads.find(
        {std::string(Info(event.call).name), ToString(run.sites, event.site)});
    if (at == f->spreads.end()) return;
    InCall& sum = sums[&at->second];
    sum.waiting += reduction::WaitingIn(event.times.call);
    sum.all += event.times.call.Total();
  });
  for (const auto& [spread, sum] : sums) {
    if (sum.all > 0) spread->waiting_share = sum.waiting / sum.all;
  }
}

}  // namespace

void SetSpreads(const reduction::Trace& run, Forecast* f) {
  const auto totals = TotalsBySite(run);
  if (!totals.ok()) return;  // amounts beyond all bounds
  // Of shared cores other ranks' turns are in the times of calls.
  const bool has_calls = !run.meta.own_time && f->network.empty();
  f->spreads.clear();
  f->spread_ranks = run.meta.ranks;
  for (const reduction::EventTotal& total : *totals) {
    SiteSpread& spread = f->spreads[{std::string(Info(total.call).name),
                                     ToString(run.sites, total.site)}];
    spread.compute = SecondsOf(total.times.compute.ranks);
    if (has_calls) spread.in_call = SecondsOf(total.times.call.ranks);
  }
  if (has_calls) SetWaiting(run, f);
}

}  // namespace ranksight::online_model
