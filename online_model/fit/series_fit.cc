#include "online_model/fit/series_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "online_model/fit/weights.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// Shapes believed less are dropped: they could not move a quantile.
constexpr double kLeastBelief = 0.001;

std::vector<WeightedPoint> Weigh(std::span<const Point> points,
                                 const Spread& spread) {
  const std::vector<double> weights = WeightsOf(points, spread);
  std::vector<WeightedPoint> out;
  out.reserve(points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    out.push_back({points[i].ranks, points[i].mean, weights[i]});
  }
  return out;
}

// One shape, tried.
struct Trial {
  Curve curve;
  size_t candidate = 0;
  double error = 2;  // held-out, mean; 0..2
  double score = 2;  // root mean square, later rank counts counting more
  double belief = 0;
};

// share: how much of a run each point stands for, at most 1.
Trial Try(const Shape& shape, std::span<const WeightedPoint> points,
          std::span<const double> share, std::span<const double> basis,
          double scale) {
  Trial t;
  t.curve = FitCurve(shape, points, basis);
  if (points.size() < 2 || !t.curve.solved) return t;
  double sum = 0, squares = 0, weights = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const double e = HeldOutError(
        points[i].value, HeldOutResidual(t.curve, points[i], basis[i]), scale);
    const double weight =
        share[i] * (1 + double(i) / double(points.size() - 1));
    sum += e;
    squares += weight * e * e;
    weights += weight;
  }
  t.error = sum / double(points.size());
  t.score = std::sqrt(squares / weights);
  return t;
}

int Coefficients(const Shape& shape) {
  return shape.IsConstant() || !shape.offset ? 1 : 2;
}

// The one with the least held-out error; the simpler one where errors are
// about equal, then the one listed first.
size_t Best(const std::vector<Trial>& trials) {
  RANKSIGHT_REQUIRE(!trials.empty());
  double least = trials[0].error;
  for (const Trial& t : trials) least = std::min(least, t.error);
  size_t best = trials.size();
  for (size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].error > 1.05 * least + 1e-9) continue;
    if (best == trials.size() || Coefficients(trials[i].curve.shape) <
                                     Coefficients(trials[best].curve.shape)) {
      best = i;
    }
  }
  return best;
}

// Belief where one model is chosen: how far the others are behind it, in
// units of what separates a good from a bad prediction.
void DoubtTheChosen(std::vector<Trial>* trials, size_t chosen, double noise) {
  RANKSIGHT_REQUIRE(chosen < trials->size());
  const double best = (*trials)[chosen].error;
  const double scale = std::max({best, noise, 1e-3});
  for (Trial& t : *trials) {
    const double behind = std::max(0.0, t.error - best) / scale;
    // Akaike's price of one unit of log-likelihood per coefficient.
    const double price =
        std::max(0, Coefficients(t.curve.shape) -
                        Coefficients((*trials)[chosen].curve.shape));
    t.belief = std::exp(-0.5 * behind * behind - price);
  }
}

void Weigh(std::vector<Trial>* trials, std::span<const double> priors,
           double points, double noise) {
  RANKSIGHT_REQUIRE(!trials->empty() && priors.size() >= trials->size());
  double least = (*trials)[0].score;
  for (const Trial& t : *trials) least = std::min(least, t.score);
  for (size_t i = 0; i < trials->size(); ++i) {
    Trial& t = (*trials)[i];
    t.belief = BeliefOf(priors[i], t.score, least, points, noise);
  }
}

double ReducedChiSquare(const Curve& curve,
                        std::span<const WeightedPoint> points) {
  double sum = 0;
  for (const WeightedPoint& p : points) {
    const double r = p.value - curve.At(p.ranks);
    sum += p.weight * r * r;
  }
  return sum / std::max(1.0, double(points.size()) - Coefficients(curve.shape));
}

void SetScatter(std::span<const WeightedPoint> points, const Spread& spread,
                const Curve& curve, SeriesFit* fit) {
  const double left_over =
      std::max(1.0, double(points.size()) - Coefficients(curve.shape));
  const double chi = ReducedChiSquare(curve, points);
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
}

void Keep(std::vector<Trial>* trials, size_t chosen, SeriesFit* fit) {
  RANKSIGHT_REQUIRE(chosen < trials->size());
  std::swap((*trials)[0], (*trials)[chosen]);
  double sum = 0;
  for (const Trial& t : *trials) sum += t.belief;
  for (const Trial& t : *trials) {
    const bool first = &t == &(*trials)[0];
    if (first || t.belief > kLeastBelief * sum) {
      fit->curves.push_back({t.curve, t.belief / sum, t.candidate});
    }
  }
  const Trial& best = (*trials)[0];
  fit->model = {best.curve.shape, best.curve.a, best.curve.b, best.error};
}

}  // namespace

double StudentT90(double freedom) {
  RANKSIGHT_REQUIRE(freedom > 0);
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
  return At(ranks, BasisTable(family, {&ranks, 1}));
}

Estimate SeriesFit::At(double ranks, const BasisTable& table) const {
  if (!before.empty() && ranks < model.from) return before[0].At(ranks, table);
  Estimate e;
  std::vector<std::pair<double, double>> values;
  values.reserve(curves.size());
  for (const Believed& c : curves) {
    const double g = table.Of(c.candidate)[0];
    values.emplace_back(std::max(0.0, c.curve.AtBasis(g)), c.belief);
  }
  double apart = 0;  // variance of what the shapes say
  if (family == ModelFamily::kWeighed) {
    const Middle middle = MiddleOf(std::move(values));
    e.value = middle.value;
    apart = middle.variance;
  } else {
    e.value = values[0].first;
    double weight = 0;
    for (const auto& [value, belief] : values) {
      apart += belief * (value - e.value) * (value - e.value);
      weight += belief;
    }
    apart /= weight;
  }
  e.freedom = freedom;
  const double g = table.Of(curves[0].candidate)[0];
  e.statistical = inflation * curves[0].curve.VarianceAt(g) +
                  noise * noise * e.value * e.value;
  const double doublings = std::max(
      {0.0, std::log2(ranks / max_ranks), std::log2(min_ranks / ranks)});
  // A law that has changed once may change again.
  const double bend = (before.empty() ? 1 : 2) *
                      std::max({model.held_out_error, noise, kLeastBend});
  const double drift = bend * doublings * e.value;
  e.structural = apart + drift * drift;
  return e;
}

namespace {

// One law for all points, which are those of the table from `first` on.
SeriesFit FitPhase(std::span<const Point> points, const BasisTable& table,
                   size_t first, ModelFamily family) {
  const auto basis = [&](size_t candidate) {
    return table.Of(candidate).subspan(first, points.size());
  };
  SeriesFit fit;
  fit.family = family;
  fit.min_ranks = points.front().ranks;
  fit.max_ranks = points.back().ranks;
  const Spread spread = PooledSpread(points);
  const std::vector<WeightedPoint> weighted = Weigh(points, spread);
  double largest = 0;
  std::vector<double> share;
  for (const Point& p : points) {
    largest = std::max(largest, p.mean);
    share.push_back(std::min(1.0, p.runs));
  }
  // A series of noughts, as most computation times are, is constant.
  const std::span<const Candidate> candidates =
      CandidatesOf(family).first(largest > 0 ? CandidatesOf(family).size() : 1);
  std::vector<Trial> trials;
  std::vector<double> priors;
  trials.reserve(candidates.size());
  priors.reserve(candidates.size());
  for (size_t i = 0; i < candidates.size(); ++i) {
    Trial t = Try(candidates[i].shape, weighted, share, basis(i),
                  kLeastOfLargest * largest);
    const bool allowed = family == ModelFamily::kNormalForm
                             ? t.curve.solved
                             : IsPlausible(t.curve, weighted);
    if (!allowed) continue;
    t.candidate = i;
    trials.push_back(t);
    priors.push_back(candidates[i].prior);
  }
  if (trials.empty()) {
    // No shape can give negative times, as damaged statistics may hold them.
    trials.push_back(Try(candidates[0].shape, weighted, share, basis(0), 0));
    priors.push_back(candidates[0].prior);
  }
  size_t chosen = Best(trials);
  SetScatter(weighted, spread, trials[chosen].curve, &fit);
  if (family == ModelFamily::kWeighed) {
    Weigh(&trials, priors, double(points.size()), fit.noise);
    for (size_t i = 0; i < trials.size(); ++i) {
      if (trials[i].belief > trials[chosen].belief) chosen = i;
    }
    SetScatter(weighted, spread, trials[chosen].curve, &fit);
  } else {
    DoubtTheChosen(&trials, chosen, fit.noise);
  }
  Keep(&trials, chosen, &fit);
  return fit;
}

// Rank counts of a phase: fewer show no law. The later one is extrapolated.
constexpr size_t kLeastBefore = 3, kLeastAfter = 4;
// One law for all fails with a held-out error beyond this, and beyond so many
// times what runs of one size differ. Doubling it misses changes that small.
constexpr double kFails = 0.05, kFailsNoise = 3;
// By how much two laws have to be better. With half of it one series in
// fifty of a single law with noise is taken for two.
constexpr double kBetter = 5;

// The largest error of the laws of two phases.
double ErrorOf(const SeriesFit& later) {
  return std::max(later.model.held_out_error,
                  later.before[0].model.held_out_error);
}

SeriesFit FitTwoPhases(std::span<const Point> points, const BasisTable& table,
                       ModelFamily family) {
  SeriesFit best;
  for (size_t k = kLeastBefore; k + kLeastAfter <= points.size(); ++k) {
    SeriesFit later = FitPhase(points.subspan(k), table, k, family);
    later.model.from = points[k].ranks;
    later.before.push_back(FitPhase(points.first(k), table, 0, family));
    if (best.before.empty() || ErrorOf(later) < ErrorOf(best)) {
      best = std::move(later);
    }
  }
  return best;
}

}  // namespace

SeriesFit FitSeries(std::span<const Point> points, const BasisTable& table,
                    ModelFamily family) {
  RANKSIGHT_REQUIRE(!points.empty());
  RANKSIGHT_REQUIRE(std::ranges::is_sorted(points, {}, &Point::ranks));
  SeriesFit fit = FitPhase(points, table, 0, family);
  const double error = fit.model.held_out_error;
  if (family != ModelFamily::kWeighed ||
      points.size() < kLeastBefore + kLeastAfter ||
      error < std::max(kFails,
                       kFailsNoise *
                           std::sqrt(PooledSpread(points).relative_variance))) {
    return fit;
  }
  SeriesFit two = FitTwoPhases(points, table, family);
  return kBetter * ErrorOf(two) < error ? two : fit;
}

SeriesFit FitSeries(std::span<const Point> points, ModelFamily family) {
  std::vector<double> ranks;
  for (const Point& p : points) ranks.push_back(p.ranks);
  return FitSeries(points, BasisTable(family, ranks), family);
}

}  // namespace ranksight::online_model
