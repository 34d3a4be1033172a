#include "online_model/fit/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

struct Sums {
  double w = 0, mean_x = 0, mean_y = 0;  // weighted means
  double xx = 0, xy = 0;                 // about the means
  double raw_xx = 0, raw_xy = 0;         // about zero
};

// Two passes, so that values far from zero lose no digits.
Sums SumUp(std::span<const WeightedPoint> points, std::span<const double> x) {
  RANKSIGHT_REQUIRE(points.size() == x.size());
  Sums s;
  for (size_t i = 0; i < points.size(); ++i) {
    s.w += points[i].weight;
    s.mean_x += points[i].weight * x[i];
    s.mean_y += points[i].weight * points[i].value;
  }
  s.mean_x /= s.w;
  s.mean_y /= s.w;
  for (size_t i = 0; i < points.size(); ++i) {
    const double w = points[i].weight, y = points[i].value;
    s.xx += w * (x[i] - s.mean_x) * (x[i] - s.mean_x);
    s.xy += w * (x[i] - s.mean_x) * (y - s.mean_y);
    s.raw_xx += w * x[i] * x[i];
    s.raw_xy += w * x[i] * y;
  }
  return s;
}

}  // namespace

double Curve::VarianceAt(double g) const {
  return std::max(0.0, var_a + 2 * g * cov_ab + g * g * var_b);
}

Curve FitCurve(const Shape& shape, std::span<const WeightedPoint> points,
               std::span<const double> basis) {
  const Sums s = SumUp(points, basis);
  Curve c;
  c.shape = shape;
  if (shape.IsConstant()) {
    c.a = s.mean_y;
    c.var_a = 1 / s.w;
    c.solved = true;
  } else if (!shape.offset) {
    c.solved = s.raw_xx > 0;
    if (!c.solved) return c;
    c.b = s.raw_xy / s.raw_xx;
    c.var_b = 1 / s.raw_xx;
  } else {
    // One rank count, or a basis that hardly moves: no slope to find.
    c.solved = s.xx > 1e-14 * s.raw_xx;
    if (!c.solved) return c;
    c.b = s.xy / s.xx;
    c.a = s.mean_y - c.b * s.mean_x;
    c.var_b = 1 / s.xx;
    c.cov_ab = -s.mean_x / s.xx;
    c.var_a = 1 / s.w + s.mean_x * s.mean_x / s.xx;
  }
  return c;
}

Curve FitCurve(const Shape& shape, std::span<const WeightedPoint> points) {
  std::vector<double> basis;
  for (const WeightedPoint& p : points) basis.push_back(Basis(shape, p.ranks));
  return FitCurve(shape, points, basis);
}

bool IsPlausible(const Curve& curve, std::span<const WeightedPoint> points) {
  if (!curve.solved || curve.a < 0) return false;
  if (curve.b >= 0) return true;
  double smallest = std::numeric_limits<double>::infinity();
  for (const WeightedPoint& p : points) {
    smallest = std::min(smallest, p.ranks);
  }
  return !curve.shape.Grows() && curve.At(smallest) >= 0;
}

double HeldOutResidual(const Curve& curve, const WeightedPoint& point,
                       double g) {
  const double leverage = point.weight * curve.VarianceAt(g);
  const double left = 1 - leverage;
  if (!curve.solved || left < 1e-9) {
    return std::numeric_limits<double>::infinity();
  }
  return (curve.AtBasis(g) - point.value) / left;
}

}  // namespace ranksight::online_model
