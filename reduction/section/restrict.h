// A part of a parameter's ranks.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/api/parameter.h"

namespace ranksight::reduction {

// What p has for these ranks, ascending. Pauses. REQUIRES: no distribution,
// or all its ranks are meant.
Parameter Restrict(const Parameter& p, const std::vector<int64_t>& ranks);

}  // namespace ranksight::reduction
