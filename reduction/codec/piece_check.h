// Checks on pieces of a parameter that cost O(terms), not O(ranks).
// Thread-safety: pure functions.
#pragma once

#include "reduction/api/parameter.h"

namespace ranksight::reduction {

// Whether every sequence the piece can describe has values within
// +-kMaxMagnitude, counts >= 1 (>= 2 with a body) and at most 2^62 values.
// REQUIRES: three columns per entry of the shape, each as long as ranks and
// of magnitude at most kMaxMagnitude.
bool IsInRange(const ParameterPiece& piece);

}  // namespace ranksight::reduction
