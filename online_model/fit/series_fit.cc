#include "online_model/fit/series_fit.h"

#include <algorithm>
#include <cmath>

namespace ranksight::online_model {
namespace {

constexpr double kNormal90 = 1.645;
// Prior runs that the spread pooled over all rank counts is worth when a
// single rank count's spread is estimated. Doubling it makes weights more
// even; the choice of model hardly depends on it.
constexpr double kPriorRuns = 4;
// No measurement is believed to better than this (relative).
constexpr double kLeastNoise = 1e-4;
// Held-out error added per doubling beyond the measured range is at least
// this: laws of real programs bend. Doubling it doubles the width of an
// exact fit's interval.
constexpr double kLeastBend = 0.005;

double SymmetricError(double measured, double predicted) {
  const double size = std::abs(measured) + std::abs(predicted);
  return size == 0 ? 0 : 2 * std::abs(measured - predicted) / size;
}

struct Spread {
  double relative_variance = 0;  // pooled, of a single run
  double freedom = 0;
};

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

std::vector<WeightedPoint> Weigh(std::span<const Point> points,
                                 const Spread& spread) {
  double largest = 0;
  for (const Point& p : points) largest = std::max(largest, p.mean);
  std::vector<WeightedPoint> out;
  out.reserve(points.size());
  for (const Point& p : points) {
    // A quantity that is zero somewhere is known no better there than one
    // percent of its largest value.
    const double scale = std::max(p.mean, 0.01 * largest);
    double variance = scale * scale;
    if (spread.freedom > 0) {
      variance = (kPriorRuns * spread.relative_variance * scale * scale +
                  (p.runs - 1) * p.variance) /
                 (kPriorRuns + p.runs - 1);
      variance = std::max(variance, kLeastNoise * kLeastNoise * scale * scale);
    }
    const double weight = variance > 0 ? p.runs / variance : 1;
    out.push_back({p.ranks, p.mean, weight});
  }
  return out;
}

double HeldOutError(ModelKind kind, std::span<const WeightedPoint> points) {
  double sum = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const Curve curve = FitCurve(kind, points, i);
    sum += SymmetricError(points[i].value, curve.At(points[i].ranks));
  }
  return sum / double(points.size());
}

int FormSize(int kind) {
  return kind == int(ModelKind::kConstant) || kind == int(ModelKind::kInverse)
             ? 1
             : 2;
}

// The model with the least held-out error; the simpler one (fewer
// coefficients, then the order of ModelKind) where they are about equal.
int Choose(const std::array<double, kModelKinds>& errors) {
  const double best = *std::min_element(errors.begin(), errors.end());
  const double bound = 1.05 * best + 1e-9;
  int chosen = -1;
  for (int kind = 0; kind < kModelKinds; ++kind) {
    if (errors[kind] > bound) continue;
    if (chosen < 0 || FormSize(kind) < FormSize(chosen)) chosen = kind;
  }
  return chosen;
}

double ReducedChiSquare(const Curve& curve,
                        std::span<const WeightedPoint> points) {
  double sum = 0;
  for (const WeightedPoint& p : points) {
    const double r = p.value - curve.At(p.ranks);
    sum += p.weight * r * r;
  }
  return sum / std::max(1.0, double(points.size()) - curve.coefficients);
}

void SetDoubt(std::span<const WeightedPoint> points, const Spread& spread,
              int chosen, SeriesFit* fit) {
  const double left_over =
      std::max(1.0, double(points.size()) - fit->curves[chosen].coefficients);
  const double chi = ReducedChiSquare(fit->curves[chosen], points);
  if (spread.freedom > 0) {
    fit->noise = std::sqrt(spread.relative_variance);
    fit->inflation = std::max(1.0, chi);
    fit->freedom = chi > 2 ? left_over : left_over + spread.freedom;
  } else {
    // One run each: weights are relative, so chi is a relative variance.
    fit->noise = std::sqrt(chi);
    fit->inflation = chi;
    fit->freedom = left_over;
  }
  const double best = fit->errors[chosen];
  const double scale = std::max({best, fit->noise, 1e-3});
  for (int kind = 0; kind < kModelKinds; ++kind) {
    const double behind = std::max(0.0, fit->errors[kind] - best) / scale;
    // Akaike's price of one unit of log-likelihood per coefficient.
    const double price = std::max(0, FormSize(kind) - FormSize(chosen));
    fit->belief[kind] = std::exp(-0.5 * behind * behind - price);
  }
  fit->belief[chosen] = 1;
}

}  // namespace

double StudentT90(double freedom) {
  // Exact values for small degrees, then the Cornish-Fisher expansion.
  constexpr double kTable[] = {6.314, 2.920, 2.353, 2.132, 2.015,
                               1.943, 1.895, 1.860, 1.833, 1.812};
  constexpr int kEntries = 10;
  if (freedom <= 1) return kTable[0];
  if (freedom < kEntries) {
    const int low = int(freedom);
    const double part = freedom - low;
    return kTable[low - 1] * (1 - part) + kTable[low] * part;
  }
  const double z = kNormal90, z3 = z * z * z, z5 = z3 * z * z;
  return z + (z3 + z) / (4 * freedom) +
         (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom);
}

double Estimate::HalfWidth() const {
  const double t = StudentT90(freedom);
  return std::sqrt(t * t * statistical + kNormal90 * kNormal90 * structural);
}

Estimate SeriesFit::At(double ranks) const {
  const int chosen = int(model.kind);
  Estimate e;
  e.value = std::max(0.0, model.At(ranks));
  e.freedom = freedom;
  e.statistical = inflation * curves[chosen].VarianceAt(ranks) +
                  noise * noise * e.value * e.value;
  double sum = 0, weight = 0;
  for (int kind = 0; kind < kModelKinds; ++kind) {
    const double other = std::max(0.0, curves[kind].At(ranks));
    sum += belief[kind] * (other - e.value) * (other - e.value);
    weight += belief[kind];
  }
  const double doublings = std::max(
      {0.0, std::log2(ranks / max_ranks), std::log2(min_ranks / ranks)});
  const double bend = std::max({model.held_out_error, noise, kLeastBend});
  const double drift = bend * doublings * e.value;
  e.structural = sum / weight + drift * drift;
  return e;
}

SeriesFit FitSeries(std::span<const Point> points) {
  SeriesFit fit;
  fit.min_ranks = points.front().ranks;
  fit.max_ranks = points.back().ranks;
  const Spread spread = PooledSpread(points);
  const std::vector<WeightedPoint> weighted = Weigh(points, spread);
  for (int kind = 0; kind < kModelKinds; ++kind) {
    fit.curves[kind] = FitCurve(ModelKind(kind), weighted);
    fit.errors[kind] =
        points.size() < 2 ? 2 : HeldOutError(ModelKind(kind), weighted);
  }
  const int chosen = Choose(fit.errors);
  const Curve& curve = fit.curves[chosen];
  fit.model = {ModelKind(chosen), curve.a, curve.b, fit.errors[chosen]};
  SetDoubt(weighted, spread, chosen, &fit);
  return fit;
}

}  // namespace ranksight::online_model
