// Windows without memory of their own: where something goes in them is an
// address of the recorded run, which no other run has.
// Complexity: O(1) without such windows, O(events) with them.
// Thread-safety: pure functions.
#pragma once

#include "adapters/api/generate.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters::c_mpi {

// kNo with the call and its call path when something is moved in one.
reduction::Status CheckWindows(const reduction::Trace& trace,
                               const GenerateOptions& options);

}  // namespace ranksight::adapters::c_mpi
