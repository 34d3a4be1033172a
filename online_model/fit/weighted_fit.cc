#include "online_model/fit/weighted_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ranksight::online_model {
namespace {

double BasisOf(ModelKind kind, double ranks) {
  switch (kind) {
    case ModelKind::kConstant:
      return 0;
    case ModelKind::kLinear:
      return ranks;
    case ModelKind::kInverse:
    case ModelKind::kInversePlusConstant:
      return 1 / ranks;
  }
  return 0;
}

struct Sums {
  double w = 0, mean_x = 0, mean_y = 0;  // weighted means
  double xx = 0, xy = 0;                 // about the means
  double raw_xx = 0, raw_xy = 0;         // about zero
  double min_ranks = std::numeric_limits<double>::infinity();
};

// Two passes, so that rank counts far from zero lose no digits.
Sums SumUp(ModelKind kind, std::span<const WeightedPoint> points, size_t skip) {
  Sums s;
  for (size_t i = 0; i < points.size(); ++i) {
    if (i == skip) continue;
    const WeightedPoint& p = points[i];
    s.w += p.weight;
    s.mean_x += p.weight * BasisOf(kind, p.ranks);
    s.mean_y += p.weight * p.value;
  }
  s.mean_x /= s.w;
  s.mean_y /= s.w;
  for (size_t i = 0; i < points.size(); ++i) {
    if (i == skip) continue;
    const WeightedPoint& p = points[i];
    const double x = BasisOf(kind, p.ranks);
    s.xx += p.weight * (x - s.mean_x) * (x - s.mean_x);
    s.xy += p.weight * (x - s.mean_x) * (p.value - s.mean_y);
    s.raw_xx += p.weight * x * x;
    s.raw_xy += p.weight * x * p.value;
    s.min_ranks = std::min(s.min_ranks, p.ranks);
  }
  return s;
}

void SolveA(const Sums& s, Curve* c) {
  c->a = s.mean_y;
  c->b = 0;
  c->var_a = 1 / s.w;
  c->var_b = c->cov_ab = 0;
  c->coefficients = 1;
}

void SolveB(const Sums& s, Curve* c) {
  c->a = 0;
  c->b = s.raw_xy / s.raw_xx;
  c->var_b = 1 / s.raw_xx;
  c->var_a = c->cov_ab = 0;
  c->coefficients = 1;
}

void SolveBoth(const Sums& s, Curve* c) {
  c->b = s.xy / s.xx;
  c->a = s.mean_y - c->b * s.mean_x;
  c->var_b = 1 / s.xx;
  c->cov_ab = -s.mean_x / s.xx;
  c->var_a = 1 / s.w + s.mean_x * s.mean_x / s.xx;
  c->coefficients = 2;
}

}  // namespace

double Curve::At(double ranks) const { return a + b * BasisOf(kind, ranks); }

double Curve::VarianceAt(double ranks) const {
  const double x = BasisOf(kind, ranks);
  return std::max(0.0, var_a + 2 * x * cov_ab + x * x * var_b);
}

Curve FitCurve(ModelKind kind, std::span<const WeightedPoint> points,
               size_t skip) {
  const Sums s = SumUp(kind, points, skip);
  Curve c;
  c.kind = kind;
  if (kind == ModelKind::kConstant) {
    SolveA(s, &c);
    return c;
  }
  if (kind == ModelKind::kInverse) {
    SolveB(s, &c);
    return c;
  }
  if (s.xx <= 1e-14 * s.raw_xx) {  // one rank count: no slope to find
    SolveA(s, &c);
    return c;
  }
  SolveBoth(s, &c);
  if (c.a < 0) {
    SolveB(s, &c);
  } else if (c.b < 0 &&
             (kind == ModelKind::kLinear || c.a + c.b / s.min_ranks < 0)) {
    SolveA(s, &c);
  }
  return c;
}

}  // namespace ranksight::online_model
