// The fit of one series: the model chosen by leave-one-out error, and what
// is needed for an honest prediction interval.
//
// Two kinds of doubt are kept apart. Statistical: scatter of a single run
// and uncertainty of the coefficients; its size is itself estimated from few
// points, hence Student's t. Structural: models that fit about as well but
// say something else at the target, and the held-out error growing with every
// doubling beyond what was measured.
//
// Thread-safety: value types. Complexity: FitSeries is O(points^2), At O(1);
// neither depends on the number of runs.
#pragma once

#include <array>
#include <span>

#include "online_model/api/forecast.h"
#include "online_model/fit/weighted_fit.h"
#include "online_model/series/statistics.h"

namespace ranksight::online_model {

inline constexpr int kModelKinds = 4;

struct Estimate {
  double value = 0;
  double statistical = 0;  // variance
  double structural = 0;   // variance
  double freedom = 1;      // degrees, of the statistical variance

  // Half the width of the 90 % interval.
  double HalfWidth() const;
};

struct SeriesFit {
  Model model;
  std::array<Curve, kModelKinds> curves;   // by ModelKind
  std::array<double, kModelKinds> errors;  // leave-one-out, by ModelKind
  std::array<double, kModelKinds> belief;  // 0..1, the chosen model has 1
  double noise = 0;                        // relative scatter of a single run
  double inflation = 1;                    // of the coefficients' covariance
  double freedom = 1;
  double min_ranks = 1, max_ranks = 1;

  Estimate At(double ranks) const;
};

// REQUIRES: points is not empty, means >= 0, ascending rank counts.
SeriesFit FitSeries(std::span<const Point> points);

// Two-sided 90 % quantile of Student's t. freedom >= 1, may be fractional.
double StudentT90(double freedom);

}  // namespace ranksight::online_model
