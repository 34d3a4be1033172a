#include "online_model/fit/weights.h"

#include <algorithm>
#include <cmath>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// Prior runs that the spread pooled over all rank counts is worth when a
// single rank count's spread is estimated. Doubling it makes weights more
// even; the choice of model hardly depends on it.
constexpr double kPriorRuns = 4;
// No measurement is believed to better than this (relative).
constexpr double kLeastNoise = 1e-4;
// Share of belief left out at either end of what the shapes say.
constexpr double kTail = 0.02;

}  // namespace

Spread PooledSpread(std::span<const Point> points) {
  Spread s;
  for (const Point& p : points) {
    if (p.runs < 2 || p.mean <= 0) continue;
    s.relative_variance += (p.runs - 1) * p.variance / (p.mean * p.mean);
    s.freedom += p.runs - 1;
  }
  if (s.freedom > 0) s.relative_variance /= s.freedom;
  return s;
}

std::vector<double> WeightsOf(std::span<const Point> points,
                              const Spread& spread) {
  double largest = 0;
  for (const Point& p : points) largest = std::max(largest, p.mean);
  std::vector<double> out;
  out.reserve(points.size());
  for (const Point& p : points) {
    const double scale = std::max(p.mean, kLeastOfLargest * largest);
    double variance = scale * scale;
    if (spread.freedom > 0) {
      // What runs of other sizes scatter counts as so many runs of this one:
      // two that happen to agree are no certainty.
      variance = (kPriorRuns * spread.relative_variance * scale * scale +
                  (p.runs - 1) * p.variance) /
                 (kPriorRuns + p.runs - 1);
      variance = std::max(variance, kLeastNoise * kLeastNoise * scale * scale);
    }
    out.push_back(variance > 0 ? p.runs / variance : 1);
  }
  return out;
}

double HeldOutError(double measured, double residual, double scale) {
  if (!std::isfinite(residual)) return 2;
  if (residual == 0) return 0;
  // Symmetric, so that no prediction of a nought is infinitely wrong.
  const double size = std::max(measured, scale) + std::abs(measured + residual);
  return 2 * std::abs(residual) / size;
}

double BeliefOf(double prior, double score, double least, double points,
                double noise) {
  const double floor = std::max(kLeastBend, noise);
  const double reference = least * least + floor * floor;
  const double size = score * score + floor * floor;
  return prior * std::pow(size / reference, -(points - 1) / 2);
}

double Quantile(std::span<const std::pair<double, double>> values,
                double share) {
  RANKSIGHT_REQUIRE(!values.empty());
  RANKSIGHT_REQUIRE(share >= 0 && share <= 1);
  double sum = 0;
  for (const auto& [value, weight] : values) sum += weight;
  double before = 0;
  for (const auto& [value, weight] : values) {
    before += weight;
    if (before >= share * sum) return value;
  }
  return values.back().first;
}

Middle MiddleOf(std::vector<std::pair<double, double>> values) {
  RANKSIGHT_REQUIRE(!values.empty());
  // Quantiles: one improbable shape that runs away must not carry the rest.
  std::sort(values.begin(), values.end());
  const double value = Quantile(values, 0.5);
  // The longer side: the interval is symmetric, the shapes are not.
  const double side = std::max(Quantile(values, 1 - kTail) - value,
                               value - Quantile(values, kTail)) /
                      kNormal90;
  return {value, side * side};
}

}  // namespace ranksight::online_model
