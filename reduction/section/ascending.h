// Whether a section can be a set of ranks. Thread-safety: pure functions.
#pragma once

#include "reduction/api/section.h"

namespace ranksight::reduction {

// Whether the values are strictly ascending. O(terms).
bool IsAscending(const RankSet& set);

}  // namespace ranksight::reduction
