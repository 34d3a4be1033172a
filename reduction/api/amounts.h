// Sums and products of counts and bytes that do not wrap.
//
// One that does not fit, or is below 0, is kTooMany, and stays so in whatever
// it is added to. Special values count as 0, as in the canonical text.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "reduction/api/event.h"
#include "reduction/api/parameter.h"
#include "reduction/api/section.h"
#include "reduction/api/status.h"

namespace ranksight::reduction {

inline constexpr uint64_t kTooMany = UINT64_MAX;

uint64_t AmountOf(int64_t value);
uint64_t Plus(uint64_t a, uint64_t b);
uint64_t Times(uint64_t a, uint64_t b);

// O(terms).
uint64_t SumOf(const Section& values);
// Of all ranks. O(structure) where strides and counts are the same on all
// ranks of a piece, O(structure x ranks) elsewhere.
uint64_t SumOverRanks(const Parameter& values);

// SendBytes and RecvBytes of an event that has all its values.
uint64_t SentBy(const Event& event);
uint64_t PostedBy(const Event& event);

// kBadInput, for amounts that are kTooMany.
Status TooManyBytes();

}  // namespace ranksight::reduction
