// How far two traces are the same, without walking them.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "reduction/api/trace.h"

namespace ranksight::reduction {

// How many events a rank runs before any of its trip counts or of the
// parameters that `matters` picks differs between a and b; UINT64_MAX where
// none does. So many are the same in both, and more may be.
// REQUIRES: trees of the same shape and calls, without distributions.
// Complexity: O(structure), and O(runs of equal values) for each sequence that
// differs in its terms.
uint64_t CountSame(const Trace& a, const Trace& b, int64_t rank,
                   bool (*matters)(Param));

}  // namespace ranksight::reduction
