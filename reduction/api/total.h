// Total: what a parameter's values add up to over all ranks.
//
// Complexity: as the pieces are many, whatever the number of ranks, but where
// numbers that multiply each other both differ from rank to rank.
// Thread-safety: pure function.
#pragma once

#include <cstdint>

#include "reduction/api/parameter.h"

namespace ranksight::reduction {

// For parameters that hold no ranks, trip counts first of all. 2^63 and more
// saturate, less than 0 is 0.
uint64_t TotalOf(const Parameter& values);

}  // namespace ranksight::reduction
