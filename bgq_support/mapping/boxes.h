// Boxes of a machine that a number of ranks fills.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "bgq_support/mapping/digits.h"

namespace ranksight::bgq_support {

// The machine itself where the ranks fill it, else the most compact boxes,
// few; none where no box has so many places. `machine` as for Layout.
std::vector<Lengths> BoxesFor(int64_t ranks, const Lengths& machine);

}  // namespace ranksight::bgq_support
