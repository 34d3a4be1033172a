#include "online_model/fit/plain_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace ranksight::online_model {
namespace {

constexpr size_t kTerms = 3;
using Row = std::array<double, kTerms>;

// Of what is measured, where nothing says more, and for each doubling beyond:
// two or three runs do not tell what stops shrinking from what grows.
constexpr double kLeastMiss = 0.1, kLeastMissADoubling = 0.15;
// An error of one held-out size is a sample of one.
constexpr double kReach = 2;

Row TermsAt(double ranks) { return {1 / ranks, 1, std::log2(ranks)}; }

// Relative: a mean of 1 is to be met by each.
Row RowOf(const Point& p) {
  Row row = TermsAt(p.ranks);
  for (double& x : row) x /= p.mean;
  return row;
}

struct Solution {
  Row factors{};
  double squares = std::numeric_limits<double>::infinity();
};

double SquaresOf(const Row& factors, const std::vector<Row>& rows) {
  double sum = 0;
  for (const Row& row : rows) {
    double error = -1;
    for (size_t i = 0; i < kTerms; ++i) error += factors[i] * row[i];
    sum += error * error;
  }
  return sum;
}

// Least squares with the terms of `chosen`, a bit each, alone; by Gauss and
// Jordan. Nothing where the points do not tell them apart, or one is below 0.
std::optional<Row> Solve(const std::vector<Row>& rows, size_t chosen) {
  constexpr double kSingular = 1e-9;
  std::array<std::array<double, kTerms + 1>, kTerms> m{};
  for (size_t i = 0; i < kTerms; ++i) {
    const bool in = (chosen >> i & 1) != 0;
    if (!in) m[i][i] = 1;  // that term is 0
    for (const Row& row : rows) {
      for (size_t k = 0; in && k < kTerms; ++k) {
        if ((chosen >> k & 1) != 0) m[i][k] += row[i] * row[k];
      }
      if (in) m[i][kTerms] += row[i];
    }
  }
  for (size_t i = 0; i < kTerms; ++i) {
    const double scale = m[i][i];
    double whole = 0;
    for (const Row& row : rows) whole += row[i] * row[i];
    if (!(scale > kSingular * whole) && (chosen >> i & 1) != 0) return {};
    for (double& x : m[i]) x /= scale;
    for (size_t k = 0; k < kTerms; ++k) {
      if (k == i) continue;
      const double times = m[k][i];
      for (size_t c = 0; c <= kTerms; ++c) m[k][c] -= times * m[i][c];
    }
  }
  Row out{};
  for (size_t i = 0; i < kTerms; ++i) {
    out[i] = m[i][kTerms];
    if (!(out[i] >= 0)) return {};
  }
  return out;
}

// The non-negative least squares are those of some of the terms alone, of
// which there are few. Fewer terms where more say the same.
Solution FitRows(const std::vector<Row>& rows) {
  Solution best;
  for (const size_t chosen : {2, 1, 4, 3, 6, 5, 7}) {
    const auto factors = Solve(rows, chosen);
    if (!factors) continue;
    const double squares = SquaresOf(*factors, rows);
    if (squares < (1 - 1e-6) * best.squares - 1e-15) best = {*factors, squares};
  }
  return best;
}

double ValueOf(const Row& factors, double ranks) {
  const Row terms = TermsAt(ranks);
  double sum = 0;
  for (size_t i = 0; i < kTerms; ++i) sum += factors[i] * terms[i];
  return sum;
}

}  // namespace

double PlainFit::At(double ranks) const {
  return ValueOf({inverse, constant, logarithm}, ranks);
}

double PlainFit::MissAt(double ranks) const {
  const double doublings = std::max(0.0, std::log2(ranks / largest));
  return miss + doublings * miss_a_doubling;
}

PlainFit FitPlain(std::span<const Point> points) {
  std::vector<Row> rows;
  for (const Point& p : points) rows.push_back(RowOf(p));
  const Solution all = FitRows(rows);
  PlainFit fit{all.factors[0], all.factors[1],      all.factors[2],
               kLeastMiss,     kLeastMissADoubling, points.back().ranks};
  const double scatter = std::sqrt(all.squares / double(rows.size()));
  fit.miss = std::max(fit.miss, kReach * scatter);
  if (rows.size() <= 2) {
    fit.miss_a_doubling *= kReach;
    return fit;
  }
  rows.pop_back();
  const double held_out = std::abs(std::log(
      ValueOf(FitRows(rows).factors, fit.largest) / points.back().mean));
  const double doublings =
      std::max(1.0, std::log2(fit.largest / points[points.size() - 2].ranks));
  fit.miss_a_doubling =
      std::max(fit.miss_a_doubling, kReach * held_out / doublings);
  return fit;
}

}  // namespace ranksight::online_model
