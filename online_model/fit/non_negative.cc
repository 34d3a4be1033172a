#include "online_model/fit/non_negative.h"

#include <cmath>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

constexpr size_t kTerms = 3;
// Three columns of the normal equations, and what they are to give.
using Augmented = std::array<std::array<double, kTerms + kTerms>, kTerms>;

double NormalEntry(std::span<const WeightedRow> rows, size_t i, size_t k) {
  double sum = 0;
  for (const WeightedRow& row : rows) sum += row.terms[i] * row.terms[k];
  return sum;
}

// Gauss and Jordan. False where a column is all but a sum of those before it.
bool Reduce(Augmented* m) {
  constexpr double kSingular = 1e-9;
  ThreeFactors whole;
  for (size_t i = 0; i < kTerms; ++i) whole[i] = (*m)[i][i];
  for (size_t i = 0; i < kTerms; ++i) {
    const double scale = (*m)[i][i];
    if (!(scale > kSingular * whole[i])) return false;
    for (double& x : (*m)[i]) x /= scale;
    for (size_t k = 0; k < kTerms; ++k) {
      if (k == i) continue;
      const double times = (*m)[k][i];
      for (size_t c = 0; c < (*m)[k].size(); ++c) {
        (*m)[k][c] -= times * (*m)[i][c];
      }
    }
  }
  return true;
}

// With the terms of `chosen`, a bit each, alone. Nothing where the rows do not
// tell them apart, or one is below 0.
std::optional<ThreeFactors> Solve(std::span<const WeightedRow> rows,
                                  size_t chosen) {
  RANKSIGHT_REQUIRE(chosen > 0 && chosen >> kTerms == 0);
  const auto is_in = [chosen](size_t i) { return (chosen >> i & 1) != 0; };
  Augmented m{};
  for (size_t i = 0; i < kTerms; ++i) {
    if (!is_in(i)) {
      m[i][i] = 1;  // that term is 0
      continue;
    }
    for (size_t k = 0; k < kTerms; ++k) {
      if (is_in(k)) m[i][k] = NormalEntry(rows, i, k);
    }
    for (const WeightedRow& row : rows) {
      m[i][kTerms] += row.terms[i] * row.value;
    }
  }
  if (!Reduce(&m)) return std::nullopt;
  ThreeFactors out{};
  for (size_t i = 0; i < kTerms; ++i) {
    out[i] = m[i][kTerms];
    if (!(out[i] >= 0)) return std::nullopt;
  }
  return out;
}

double SquaresOf(const ThreeFactors& factors,
                 std::span<const WeightedRow> rows) {
  double sum = 0;
  for (const WeightedRow& row : rows) {
    double error = -row.value;
    for (size_t i = 0; i < kTerms; ++i) error += factors[i] * row.terms[i];
    sum += error * error;
  }
  return sum;
}

}  // namespace

// The non-negative least squares are those of some of the terms alone, of
// which there are few.
NonNegativeFit FitNonNegative(std::span<const WeightedRow> rows) {
  NonNegativeFit best;
  for (const size_t chosen : {2, 1, 4, 3, 6, 5, 7}) {
    const auto factors = Solve(rows, chosen);
    if (!factors) continue;
    const double squares = SquaresOf(*factors, rows);
    if (squares < (1 - 1e-6) * best.squares - 1e-15) best = {*factors, squares};
  }
  return best;
}

std::optional<std::array<ThreeFactors, 3>> CovarianceOf(
    std::span<const WeightedRow> rows) {
  Augmented m{};
  for (size_t i = 0; i < kTerms; ++i) {
    for (size_t k = 0; k < kTerms; ++k) m[i][k] = NormalEntry(rows, i, k);
    m[i][kTerms + i] = 1;
  }
  if (!Reduce(&m)) return std::nullopt;
  std::array<ThreeFactors, 3> covariance{};
  for (size_t i = 0; i < kTerms; ++i) {
    for (size_t k = 0; k < kTerms; ++k) covariance[i][k] = m[i][kTerms + k];
  }
  return covariance;
}

}  // namespace ranksight::online_model
