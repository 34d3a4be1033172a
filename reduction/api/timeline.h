// Timeline: one iteration of the loop that takes most of the time, as the
// slowest, the median and the fastest rank go through it.
//
// Only that iteration is walked. Its times are those of the distributions that
// the trace keeps of each call: a trace says how ranks differ at a call, not
// which rank was which, nor what one iteration took. So
//  1. the ranks are chosen by what they compute in that loop (rank_loads.h);
//  2. the slowest computes at each call what the rank with the most computes
//     there in the mean, and is in the call as long as the rank with the least:
//     who comes last waits least; the fastest the other way round; the median
//     takes what ranks take in the mean.
// Complexity: O(structure x ranks + events shown). Thread-safety: pure
// function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

enum class Pace { kSlowest, kMedian, kFastest };
const char* NameOf(Pace pace);

struct TimelineEvent {
  const Node* node = nullptr;  // of the trace
  std::string text;            // canonical
  double compute_ns = 0, call_ns = 0;
};

struct TimelineLane {
  Pace pace = Pace::kMedian;
  int64_t rank = 0;
  // The iteration in the middle, of so many.
  uint64_t iteration = 0, iterations = 0;
  std::vector<TimelineEvent> events;
  uint64_t left_out = 0;  // events behind those

  double ComputeNs() const;
  double CallNs() const;
};

struct Timeline {
  const Node* loop = nullptr;  // the root where the trace has no loop
  double share = 0;            // of the time of all ranks
  // False where ranks shared cores: calls then take no time here.
  bool has_calls = true;
  // One with one rank, two with two, else three.
  std::vector<TimelineLane> lanes;
};

// Events that a lane holds; more could not be told apart on a screen, and ten
// times as many would make a page of several megabytes.
inline constexpr uint64_t kMostTimelineEvents = 1000;

// The outermost loop is taken that has most of the time around it and whose
// iterations fit; where none fits, the innermost on that way, cut.
Result<Timeline> TimelineOf(const Trace& trace,
                            uint64_t most_events = kMostTimelineEvents);

}  // namespace ranksight::reduction
