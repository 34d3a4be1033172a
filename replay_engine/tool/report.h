// What a replay says at its end. Thread-safety: PrintReport is collective
// over MPI_COMM_WORLD, one thread.
#pragma once

#include "reduction/api/trace.h"
#include "replay_engine/api/replay.h"

namespace ranksight::replay_engine {

// Joins the reports of all ranks and prints the result at rank 0.
void PrintReport(const reduction::Trace& trace, const RankReport& mine,
                 bool pinned, bool json);

}  // namespace ranksight::replay_engine
