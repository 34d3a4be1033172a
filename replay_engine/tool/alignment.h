// The alignment of a trace, found by rank 0, to each rank its own part.
// Thread-safety: collective over MPI_COMM_WORLD, one thread.
#pragma once

#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"
#include "replay_engine/api/alignment.h"
#include "replay_engine/tool/options.h"

namespace ranksight::replay_engine {

// Empty without options.align. Fails on all ranks alike, as Align does.
reduction::Result<std::vector<Match>> AlignEverywhere(
    const ToolOptions& options, const reduction::Trace& trace);

}  // namespace ranksight::replay_engine
