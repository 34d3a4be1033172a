// What a point of a series counts in a fit, from how runs of one size scatter,
// and how a prediction of it is scored.
// Thread-safety: pure functions. Complexity: O(points).
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "online_model/series/statistics.h"

namespace ranksight::online_model {

// A quantity is known no better where it is small than this share of its
// largest value.
inline constexpr double kLeastOfLargest = 0.01;
// Held-out error added per doubling beyond the measured range is at least
// this: laws of real programs bend. Doubling it doubles the width of an
// exact fit's interval.
inline constexpr double kLeastBend = 0.005;

// Half the width of the middle 90 % of a normal distribution, in deviations.
inline constexpr double kNormal90 = 1.645;

struct Spread {
  double relative_variance = 0;  // pooled, of a single run
  double freedom = 0;            // 0: every point is of one run
};
Spread PooledSpread(std::span<const Point> points);

// By point: what it weighs, an inverse variance.
std::vector<double> WeightsOf(std::span<const Point> points,
                              const Spread& spread);

// Relative and symmetric, 0..2. scale: below which values count as this large.
double HeldOutError(double measured, double residual, double scale);

// Odds times the likelihood of held-out errors, their size integrated out: a
// model with twice the error is 2^(points - 1) times less likely. score: root
// mean square of its errors; least: of all models.
double BeliefOf(double prior, double score, double least, double points,
                double noise);

// Where the weights of (value, weight), ascending by value, add up to `share`
// of all. REQUIRES: values is not empty.
double Quantile(std::span<const std::pair<double, double>> values,
                double share);
// What they say in the middle, and the variance of it: by the farther of the
// quantiles that leave little belief out.
struct Middle {
  double value = 0, variance = 0;
};
Middle MiddleOf(std::vector<std::pair<double, double>> values);

}  // namespace ranksight::online_model
