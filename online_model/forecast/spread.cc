#include <cmath>
#include <string>

#include "online_model/api/forecast.h"
#include "reduction/api/totals.h"

namespace ranksight::online_model {
namespace {

constexpr double kSecondsPerNs = 1e-9;

OverRanks SecondsOf(const reduction::Moments& ranks) {
  return {ranks.min * kSecondsPerNs, ranks.Mean() * kSecondsPerNs,
          ranks.max * kSecondsPerNs,
          std::sqrt(ranks.Variance()) * kSecondsPerNs};
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
}

}  // namespace ranksight::online_model
