// What each rank computes and what it spends in calls, from the compressed
// tree: how often a rank makes each call, times what that takes in the mean.
//
// How fast a rank itself was a trace does not keep rank by rank (TimeSummary):
// ranks that make the same calls have the same load.
// Complexity: O(structure x ranks). Thread-safety: pure functions.
#pragma once

#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::reduction {

struct RankLoad {
  double compute_ns = 0;
  double call_ns = 0;
  // Of the time in calls, what is beyond the least that the same call took on
  // any rank at any time: waiting, for messages or for other ranks.
  double waiting_ns = 0;
};

// The same of all occurrences of one event's call.
double WaitingIn(const TimeSummary& call);

// A load for each rank, of what is inside a loop of the trace; of its root, of
// the whole run but for MPI_Init. They add up to the totals of the trace.
std::vector<RankLoad> LoadsIn(const Trace& trace, const Node& loop);

}  // namespace ranksight::reduction
