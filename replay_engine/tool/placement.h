// Where the options say that ranks sit.
// Thread-safety: collective over MPI_COMM_WORLD, one thread.
#pragma once

#include <memory>

#include "reduction/api/status.h"
#include "replay_engine/api/tuning.h"
#include "replay_engine/tool/options.h"

namespace ranksight::replay_engine {

// Null where they say nothing. The same outcome on all ranks: kUsage, kIo, or
// kBadInput "file:line: reason".
reduction::Result<std::unique_ptr<Placement>> LoadPlacement(
    const ToolOptions& options, int64_t ranks);

}  // namespace ranksight::replay_engine
