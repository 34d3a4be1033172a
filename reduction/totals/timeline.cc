#include "reduction/api/timeline.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "reduction/api/canonical.h"
#include "reduction/api/contract.h"
#include "reduction/api/cursor.h"
#include "reduction/api/rank_loads.h"
#include "reduction/api/total.h"

namespace ranksight::reduction {
namespace {

double TimeIn(const Node& loop) {
  double ns = 0;
  ForEachEvent(loop, [&](const Node& event) {
    if (BeginsRun(event.call)) return;
    ns += event.times.TotalCompute() + event.times.TotalCall();
  });
  return ns;
}

// In one iteration on one rank, in the mean.
double EventsInOne(const Node& loop) {
  double events = 0;
  ForEachEvent(
      loop, [&](const Node& event) { events += double(TotalOf(event.trips)); });
  const double iterations = double(TotalOf(loop.trips));
  return iterations > 0 ? events / iterations : 0;
}

const Node* BusiestInside(const Node& loop) {
  const Node* busiest = nullptr;
  double most = 0;
  for (const Node& child : loop.children) {
    const double ns = child.is_event() ? 0 : TimeIn(child);
    if (ns <= most) continue;
    most = ns;
    busiest = &child;
  }
  return busiest;
}

const Node& FindLoop(const Trace& trace, uint64_t most_events) {
  const Node* loop = BusiestInside(trace.root);
  if (loop == nullptr) return trace.root;
  while (EventsInOne(*loop) > double(most_events)) {
    const Node* const inside = BusiestInside(*loop);
    if (inside == nullptr) break;
    loop = inside;
  }
  return *loop;
}

// Over ranks, a rank's mean of such an occurrence; nothing is known where the
// count is 0.
Moments OverRanks(const TimeSummary& t, bool is_first) {
  if (t.first.count > 0 && (is_first || t.ranks.count == 0)) return t.first;
  return t.ranks;
}

double AtPace(Pace pace, const Moments& over_ranks, double mean) {
  if (pace == Pace::kMedian || over_ranks.count == 0) return mean;
  return pace == Pace::kSlowest ? over_ranks.max : over_ranks.min;
}

Pace Opposite(Pace pace) {
  if (pace == Pace::kMedian) return pace;
  return pace == Pace::kSlowest ? Pace::kFastest : Pace::kSlowest;
}

TimelineEvent EventAt(const Cursor& cursor, Pace pace, bool has_calls) {
  const EventTimes& times = cursor.node().times;
  const bool is_first = cursor.occurrence() == 0;
  TimelineEvent event;
  event.node = &cursor.node();
  event.text = CanonicalText(cursor.event());
  const TimeSummary& compute =
      is_first ? times.compute : times.RestAfter(cursor.after());
  event.compute_ns = AtPace(pace, OverRanks(compute, is_first),
                            times.MeanCompute(is_first, cursor.after()));
  if (has_calls) {
    event.call_ns = AtPace(Opposite(pace), OverRanks(times.call, is_first),
                           times.call.Mean(is_first));
  }
  return event;
}

Result<TimelineLane> WalkLane(const Trace& trace, const Node& loop, Pace pace,
                              int64_t rank, uint64_t most_events) {
  RANKSIGHT_REQUIRE(rank >= 0 && rank < trace.meta.ranks);
  RANKSIGHT_REQUIRE(!loop.is_event());
  TimelineLane lane;
  lane.pace = pace;
  lane.rank = rank;
  lane.iterations =
      &loop == &trace.root ? 1 : uint64_t(loop.trips.At(rank).Sum());
  lane.iteration = lane.iterations / 2;
  auto cursor = Cursor::Open(trace, rank, Missing::kAccepted);
  if (!cursor.ok()) return cursor.status();
  const auto stretch = cursor->FindIteration(loop, lane.iteration);
  if (!stretch) return Status::BadInput("an iteration is not there");
  // What is computed before the first event is known by the event before.
  if (stretch->before > 0) {
    cursor->Skip(stretch->before - 1);
    if (!cursor->Next()) return cursor->status();
  }
  const uint64_t shown = std::min(stretch->events, most_events);
  lane.left_out = stretch->events - shown;
  while (lane.events.size() < shown && cursor->Next()) {
    if (BeginsRun(cursor->node().call)) {
      if (lane.left_out > 0) --lane.left_out;
      continue;
    }
    lane.events.push_back(EventAt(*cursor, pace, !trace.meta.own_time));
  }
  if (!cursor->status().ok()) return cursor->status();
  return lane;
}

// Ranks that come to the loop, those that compute most there first.
std::vector<int64_t> RanksByComputation(const Trace& trace, const Node& loop) {
  RANKSIGHT_REQUIRE(!loop.is_event());
  const std::vector<RankLoad> loads = LoadsIn(trace, loop);
  std::vector<int64_t> ranks;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    if (&loop != &trace.root && loop.trips.At(rank).Sum() <= 0) continue;
    ranks.push_back(rank);
  }
  std::ranges::stable_sort(ranks, [&](int64_t a, int64_t b) {
    return loads[size_t(a)].compute_ns > loads[size_t(b)].compute_ns;
  });
  return ranks;
}

}  // namespace

const char* NameOf(Pace pace) {
  switch (pace) {
    case Pace::kSlowest:
      return "slowest";
    case Pace::kMedian:
      return "median";
    case Pace::kFastest:
      return "fastest";
  }
  return "unknown";
}

double TimelineLane::ComputeNs() const {
  return std::accumulate(
      events.begin(), events.end(), 0.0,
      [](double sum, const TimelineEvent& e) { return sum + e.compute_ns; });
}

double TimelineLane::CallNs() const {
  return std::accumulate(
      events.begin(), events.end(), 0.0,
      [](double sum, const TimelineEvent& e) { return sum + e.call_ns; });
}

Result<Timeline> TimelineOf(const Trace& trace, uint64_t most_events) {
  Timeline timeline;
  timeline.has_calls = !trace.meta.own_time;
  const Node& loop = FindLoop(trace, most_events);
  timeline.loop = &loop;
  const double all = TimeIn(trace.root);
  timeline.share = all > 0 ? TimeIn(loop) / all : 0;
  const std::vector<int64_t> ranks = RanksByComputation(trace, loop);
  if (ranks.empty()) return Status::No("no rank has a loop to show");
  std::vector<std::pair<Pace, size_t>> chosen;
  if (ranks.size() > 1) chosen.emplace_back(Pace::kSlowest, 0);
  // Of two ranks both are shown, of one that one.
  if (ranks.size() != 2) chosen.emplace_back(Pace::kMedian, ranks.size() / 2);
  if (ranks.size() > 1) chosen.emplace_back(Pace::kFastest, ranks.size() - 1);
  for (const auto& [pace, place] : chosen) {
    auto lane = WalkLane(trace, loop, pace, ranks[place], most_events);
    if (!lane.ok()) return lane.status();
    timeline.lanes.push_back(std::move(*lane));
  }
  return timeline;
}

}  // namespace ranksight::reduction
