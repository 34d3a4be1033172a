// Watchdog: ends the run when this rank has stood at the same event for too
// long, as it does for ever where the trace's calls cannot all come together
// (partial traces, calls of several threads in one order).
//
// Thread-safety: one in a process; uses SIGALRM.
#pragma once

#include "replay_engine/api/replay.h"

namespace ranksight::replay_engine {

// Starts watching. `report` is the one that Replay fills. limit_s 0: never.
void WatchForStall(const RankReport& report, int rank, unsigned limit_s);
void StopWatching();

}  // namespace ranksight::replay_engine
