// About what a parameter costs when it is written: the numbers that are not
// the same on all ranks, and the terms of its rank sets.
// Thread-safety: pure function.
#pragma once

#include <cstddef>

#include "reduction/api/parameter.h"

namespace ranksight::reduction {

size_t WeightOf(const Parameter& p);

}  // namespace ranksight::reduction
