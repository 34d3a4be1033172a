// Makes what a plan says: every rank's events, folded and merged to a trace.
// Thread-safety: pure functions, on all cores. Complexity: O(events); memory as
// much of one rank's for each core, and the trace's.
#pragma once

#include <set>

#include "online_model/api/extrapolate.h"
#include "online_model/twin/stream.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct MadeTwin {
  reduction::Trace trace;  // empty where only counted
  TrafficBySite traffic;   // of the sites of exchanges
  // Sites whose calls are no law's alone, whatever laws they have: they make
  // windows larger, as something reaches there, or are about drawn requests.
  std::set<SiteKey> marked;
};

// like: the largest input. kNo where it has more than kMostTwinEvents.
// in_parallel: whether laws may be asked from several threads; the result is
// the same. tell: told of kDrawing and kJoining; empty: nobody.
reduction::Result<MadeTwin> MakeTwinTrace(const TwinPlan& plan,
                                          const reduction::Trace& like,
                                          const Grid& grid, bool in_parallel,
                                          const TellTwin& tell = {});
// The traffic alone.
reduction::Result<MadeTwin> CountTwinTraffic(const TwinPlan& plan,
                                             const reduction::Trace& like,
                                             const Grid& grid);

}  // namespace ranksight::online_model
