// The parts of wholes that a program's laws say along the sides of the grid:
// what further laws of faces and volumes are made of.
// Thread-safety: one search, one thread (SaidParts). Complexity: samples times
// what is said; six parts at most along each side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Larger blocks no program has.
inline constexpr int64_t kMostPoints = int64_t{1} << 40;

// How many different values there are; 0 where some is no number of points.
size_t CountPoints(std::span<const Sample> samples);
bool HasSeveralRanksAlong(std::span<const Sample> samples, size_t side);

// A part of a whole and its values at the samples.
struct SaidPart {
  ExpressionPtr law;
  std::vector<int64_t> values;
};

// Those said along each side, but one of several that differ by a number; none
// that has one value at all samples. REQUIRES: space.said.
std::vector<std::vector<SaidPart>> PartsAlongSides(
    std::span<const Sample> samples, const SearchSpace& space);

// One part along each of some sides.
using PartChoice = std::vector<const SaidPart*>;

// All choices of one part along each.
std::vector<PartChoice> ChoicesOf(
    const std::vector<std::vector<SaidPart>>& parts);

}  // namespace ranksight::online_model
