// How far a number lies from 0, by pairs of runs: the interval of Hodges and
// Lehmann from Wilcoxon's signed ranks. It asks of differences only that chance
// makes them larger as often as smaller; how they are distributed, and one in
// ten that is far off, hardly matters.
//
// Thread-safety: pure functions. Complexity: O(n^2 log n) in time, O(n^2) in
// memory, for n differences.
#pragma once

#include <optional>
#include <span>

namespace ranksight::online_model {

struct ShiftInterval {
  double middle = 0, low = 0, high = 0;
};

// The median of the means of all pairs of differences, each with itself, too;
// the true shift lies above high with a chance of at most alpha, and below low
// with the same. Nothing where there are too few differences for that.
// REQUIRES: 0 < alpha < 0.5.
std::optional<ShiftInterval> ShiftOf(std::span<const double> differences,
                                     double alpha);
// How many differences an interval needs.
int LeastPairs(double alpha);

}  // namespace ranksight::online_model
