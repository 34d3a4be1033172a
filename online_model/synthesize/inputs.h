// The traces that laws are found on, made of those that somebody gave.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// One trace for each size, ascending, all with one tree, and without what
// wildcards matched. kUsage and kNo as Extrapolate (api/extrapolate.h) says.
reduction::Result<std::vector<reduction::Trace>> AlignedInputs(
    std::span<const reduction::Trace> inputs, int64_t ranks);

// Dims that rank 0 gave its first MPI_Cart_create, where it made one.
std::map<int64_t, std::vector<int64_t>> RecordedDims(
    std::span<const reduction::Trace> traces);

}  // namespace ranksight::online_model
