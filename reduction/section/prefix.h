// Parts of sections, without walking them.
//
// Complexity: O(terms), where not said otherwise.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "reduction/api/section.h"

namespace ranksight::reduction {

// Sum of the first n values, of all if there are fewer. Saturates at 2^63 - 1.
// REQUIRES: no value is negative.
uint64_t SumOfFirst(const Section& section, uint64_t n);

// The least i so that the values 0..i sum up to more than `sum`; size() if all
// do not. O(terms log size). REQUIRES: no value is negative.
uint64_t PlaceOfSum(const Section& section, uint64_t sum);

// What is left behind the first n values; they may be folded otherwise.
Section DropFirst(const Section& section, uint64_t n);

// The first place where they differ, or one has no more values; nothing where
// they are the same. O(terms) up to the first term that differs, then O(runs
// of equal values).
std::optional<uint64_t> FirstDifference(const Section& a, const Section& b);

}  // namespace ranksight::reduction
