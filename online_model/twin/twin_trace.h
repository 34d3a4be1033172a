// Makes what a plan says: every rank's events, folded and merged to a trace.
// Thread-safety: pure functions. Complexity: O(events); memory as much of one
// rank's, and the trace's.
#pragma once

#include <functional>

#include "online_model/twin/stream.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct MadeTwin {
  reduction::Trace trace;  // empty where only counted
  TrafficBySite traffic;   // of the sites of exchanges
};

// like: the largest input. kNo where it has more than kMostTwinEvents.
// tell_share: told how much is made, above 0, at most 1; empty: nobody.
reduction::Result<MadeTwin> MakeTwinTrace(
    const TwinPlan& plan, const reduction::Trace& like, const Grid& grid,
    const std::function<void(double share)>& tell_share = {});
// The traffic alone.
reduction::Result<MadeTwin> CountTwinTraffic(const TwinPlan& plan,
                                             const reduction::Trace& like,
                                             const Grid& grid);

}  // namespace ranksight::online_model
