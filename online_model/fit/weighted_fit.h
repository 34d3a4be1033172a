// Weighted least squares for the four classic models, under the sign rules
// that keep times from becoming negative:
//   constant              a            a >= 0
//   linear                a + b N      a >= 0, b >= 0
//   inverse               b / N        b >= 0
//   inverse plus constant a + b / N    a >= 0, and never negative from the
//                                      smallest measured rank count on; b may
//                                      be negative (saturating growth)
// A coefficient that breaks its rule is set to 0 and the other fitted again.
//
// Thread-safety: pure functions. Complexity: O(points).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "online_model/api/forecast.h"

namespace ranksight::online_model {

struct WeightedPoint {
  double ranks = 0, value = 0, weight = 1;
};

// A fitted curve with the covariance of its coefficients for unit variance
// of the weighted residuals.
struct Curve {
  ModelKind kind = ModelKind::kConstant;
  double a = 0, b = 0;
  double var_a = 0, var_b = 0, cov_ab = 0;
  int coefficients = 1;  // that are free after the sign rules

  double At(double ranks) const;
  // Of At(ranks), for unit residual variance.
  double VarianceAt(double ranks) const;
};

inline constexpr size_t kNoPoint = static_cast<size_t>(-1);
// skip: index of a point to leave out. REQUIRES: a point is left, weights and
// rank counts > 0, values >= 0.
Curve FitCurve(ModelKind kind, std::span<const WeightedPoint> points,
               size_t skip = kNoPoint);

}  // namespace ranksight::online_model
