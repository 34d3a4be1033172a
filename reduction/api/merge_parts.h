// Parts of one run, which no MPI_Finalize merged: of sessions without a world,
// of ranks that crashed, of programs of one job of which each wrote its own.
//
// Thread-safety: pure function. Complexity: of Merge, log(parts) times.
#pragma once

#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

struct Part {
  std::string name;  // for messages: the file's
  Trace trace;
};

// The trace of all their ranks, as one that was merged while it ran. It is
// complete where every rank of the run is there and no part lacks more than the
// merging; else it counts the ranks that are missing. kNo, with the names,
// where parts cannot be of one run: other rank counts, a rank in two of them,
// or one that had ended before another began. REQUIRES: parts are recorded
// traces.
Result<Trace> MergeParts(std::vector<Part> parts);

}  // namespace ranksight::reduction
