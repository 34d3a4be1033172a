// Least squares of three terms, none with a factor below 0.
// Thread-safety: pure functions. Complexity: O(rows).
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>

namespace ranksight::online_model {

using ThreeFactors = std::array<double, 3>;

// What the terms are where the value is, both in deviations of the value.
struct WeightedRow {
  ThreeFactors terms{};
  double value = 1;
};

struct NonNegativeFit {
  ThreeFactors factors{};
  double squares = std::numeric_limits<double>::infinity();  // of what is left
};

// Fewer terms where more say the same; of the first two the second is
// preferred.
NonNegativeFit FitNonNegative(std::span<const WeightedRow> rows);

// Covariance of the factors where they may have any sign; nothing where the
// rows do not tell them apart.
std::optional<std::array<ThreeFactors, 3>> CovarianceOf(
    std::span<const WeightedRow> rows);

}  // namespace ranksight::online_model
