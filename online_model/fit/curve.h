// Weighted least squares for one shape, a + b g(N) with g(N) = N^p log2(N)^q,
// and its leave-one-out errors in closed form.
//
// Thread-safety: pure functions. Complexity: O(points).
#pragma once

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
  Shape shape;
  double a = 0, b = 0;
  double var_a = 0, var_b = 0, cov_ab = 0;
  bool solved = false;  // the points determine the coefficients

  double At(double ranks) const { return AtBasis(Basis(shape, ranks)); }
  double AtBasis(double g) const { return a + b * g; }
  // Of the value where the basis is g, for unit residual variance.
  double VarianceAt(double g) const;
};

// basis[i] is Basis(shape, points[i].ranks). REQUIRES: weights > 0.
Curve FitCurve(const Shape& shape, std::span<const WeightedPoint> points,
               std::span<const double> basis);
Curve FitCurve(const Shape& shape, std::span<const WeightedPoint> points);

// Whether a time may follow the curve: it is never negative from the smallest
// of the points on, and what its shape lets grow does not sink.
bool IsPlausible(const Curve& curve, std::span<const WeightedPoint> points);

// What the curve fitted without points[i] says at points[i], minus the value
// there; infinite where the other points do not determine the curve.
double HeldOutResidual(const Curve& curve, const WeightedPoint& point,
                       double g);

}  // namespace ranksight::online_model
