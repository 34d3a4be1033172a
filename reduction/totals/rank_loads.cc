#include "reduction/api/rank_loads.h"

#include "reduction/api/contract.h"

namespace ranksight::reduction {
namespace {

double LeastOf(const TimeSummary& t, bool is_first) {
  const Moments& others = t.rest.moments();
  if (t.first.count > 0 && (is_first || others.count == 0)) return t.first.min;
  return others.min;
}

// What one occurrence on any rank takes in the mean.
RankLoad LoadOfOne(const EventTimes& times, bool is_first) {
  const double call = times.call.Mean(is_first);
  return {times.compute.Mean(is_first), call,
          call - LeastOf(times.call, is_first)};
}

void Add(const RankLoad& one, double occurrences, RankLoad* load) {
  load->compute_ns += occurrences * one.compute_ns;
  load->call_ns += occurrences * one.call_ns;
  load->waiting_ns += occurrences * one.waiting_ns;
}

}  // namespace

double WaitingIn(const TimeSummary& call) {
  const double first = LeastOf(call, true) * double(call.first.count);
  const double rest = LeastOf(call, false) * double(call.rest.moments().count);
  return call.Total() - first - rest;
}

std::vector<RankLoad> LoadsIn(const Trace& trace, const Node& loop) {
  RANKSIGHT_REQUIRE(!loop.is_event());
  std::vector<RankLoad> loads(size_t(trace.meta.ranks));
  ForEachEvent(loop, [&](const Node& event) {
    if (BeginsRun(event.call)) return;
    const RankLoad first = LoadOfOne(event.times, true);
    const RankLoad later = LoadOfOne(event.times, false);
    for (const auto& [rank, trips] : event.trips.ByRank()) {
      const auto occurrences = uint64_t(trips.Sum());
      if (occurrences == 0 || uint64_t(rank) >= loads.size()) continue;
      Add(first, 1, &loads[size_t(rank)]);
      Add(later, double(occurrences - 1), &loads[size_t(rank)]);
    }
  });
  return loads;
}

}  // namespace ranksight::reduction
