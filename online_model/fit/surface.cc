#include "online_model/fit/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "online_model/fit/weights.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

constexpr size_t kMostTerms = 3;
constexpr double kLeastSurfaceBelief = 0.001;
// A pivot that is smaller than this share of its diagonal is rounding.
constexpr double kLeastPivot = 1e-10;

struct Term {
  double power;
  int log_power;
  double prior;
  Shape shape() const { return {power, log_power, true}; }
};
constexpr Term kOne = {0, 0, 1};
// Of the rank count: work that is divided, surfaces of blocks, stages of
// trees, distances on tori, all-to-all.
constexpr Term kOfRanks[] = {
    {-1, 0, 1.5},       {-2.0 / 3, 0, 0.7}, {-0.5, 0, 0.7},
    {-1.0 / 3, 0, 0.7}, {0, 1, 1.5},        {1.0 / 3, 0, 0.7},
    {0.5, 0, 0.7},      {1, 0, 1},          {1, 1, 0.3}};
// Of a problem size: a side, a surface, a volume, a number of unknowns.
constexpr Term kOfParameter[] = {
    {-1, 0, 0.3},      {0, 1, 0.5}, {1.0 / 3, 0, 0.5}, {0.5, 0, 0.7},
    {2.0 / 3, 0, 0.7}, {1, 0, 1.5}, {1, 1, 0.5},       {1.5, 0, 0.5},
    {2, 0, 1},         {3, 0, 0.7}};

struct Hypothesis {
  std::vector<SurfaceTerm> terms;
  double prior = 1;
};

SurfaceTerm TermOf(const Term& ranks, const Term& parameter) {
  return {ranks.shape(), parameter.shape(), 0};
}

void AddForms(const Term& f, const Term& g, double prior,
              std::vector<Hypothesis>* all) {
  const SurfaceTerm one = TermOf(kOne, kOne), product = TermOf(f, g);
  all->push_back({{product}, prior});
  all->push_back({{one, product}, prior});
  const bool both = f.shape() != kOne.shape() && g.shape() != kOne.shape();
  if (!both) return;
  const SurfaceTerm of_ranks = TermOf(f, kOne), of_parameter = TermOf(kOne, g);
  all->push_back({{of_ranks, of_parameter}, prior});
  all->push_back({{one, of_ranks, of_parameter}, prior / 2});
}

std::vector<Hypothesis> MakeHypotheses() {
  std::vector<Hypothesis> all = {{{TermOf(kOne, kOne)}, 2}};
  for (const Term& f : kOfRanks) AddForms(f, kOne, f.prior, &all);
  for (const Term& g : kOfParameter) AddForms(kOne, g, g.prior, &all);
  for (const Term& f : kOfRanks) {
    for (const Term& g : kOfParameter) {
      AddForms(f, g, f.prior * g.prior / 2, &all);
    }
  }
  return all;
}

// Symmetric matrices of at most kMostTerms rows, row by row of kMostTerms.
using Small = std::array<double, kMostTerms * kMostTerms>;
using Row = std::array<double, kMostTerms>;

// False when the columns say the same.
bool Invert(const Small& m, size_t n, Small* out) {
  RANKSIGHT_REQUIRE(n <= kMostTerms && out != nullptr);
  Small l{};
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = m[i * kMostTerms + j];
      for (size_t k = 0; k < j; ++k) {
        sum -= l[i * kMostTerms + k] * l[j * kMostTerms + k];
      }
      if (i == j) {
        // Terms that differ by nothing but rounding cannot be told apart.
        if (!(sum > kLeastPivot * m[i * kMostTerms + i])) return false;
        l[i * kMostTerms + i] = std::sqrt(sum);
      } else {
        l[i * kMostTerms + j] = sum / l[j * kMostTerms + j];
      }
    }
  }
  // A column of the inverse at a time: forwards through the factor, then
  // backwards through its transpose.
  for (size_t column = 0; column < n; ++column) {
    Row x{};
    x[column] = 1;
    for (size_t i = 0; i < n; ++i) {
      for (size_t k = 0; k < i; ++k) x[i] -= l[i * kMostTerms + k] * x[k];
      x[i] /= l[i * kMostTerms + i];
    }
    for (size_t i = n; i-- > 0;) {
      for (size_t k = i + 1; k < n; ++k) x[i] -= l[k * kMostTerms + i] * x[k];
      x[i] /= l[i * kMostTerms + i];
    }
    for (size_t i = 0; i < n; ++i) (*out)[i * kMostTerms + column] = x[i];
  }
  return true;
}

double Form(const Small& m, const Row& x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) sum += x[i] * m[i * kMostTerms + j] * x[j];
  }
  return sum;
}

Row BasisOf(const std::vector<SurfaceTerm>& terms, const Point& p) {
  Row x{};
  for (size_t i = 0; i < terms.size(); ++i) {
    x[i] = terms[i].BasisAt(p.ranks, p.parameter);
  }
  return x;
}

struct SurfaceTrial {
  Surface surface;
  double error = 2, score = 2, belief = 0, prior = 1;
};

bool Solve(std::span<const Point> points, std::span<const double> weights,
           Surface* surface) {
  RANKSIGHT_REQUIRE(points.size() == weights.size());
  const size_t n = surface->terms.size();
  Small normal{};
  Row right{};
  for (size_t k = 0; k < points.size(); ++k) {
    const Row x = BasisOf(surface->terms, points[k]);
    for (size_t i = 0; i < n; ++i) {
      right[i] += weights[k] * x[i] * points[k].mean;
      for (size_t j = 0; j < n; ++j) {
        normal[i * kMostTerms + j] += weights[k] * x[i] * x[j];
      }
    }
  }
  // Normal equations: their inverse is the covariance, which is needed anyhow,
  // and three terms leave no room for loss of digits.
  if (!Invert(normal, n, &surface->covariance)) return false;
  for (size_t i = 0; i < n; ++i) {
    double c = 0;
    for (size_t j = 0; j < n; ++j) {
      c += surface->covariance[i * kMostTerms + j] * right[j];
    }
    surface->terms[i].coefficient = c;
  }
  return true;
}

bool IsPlausible(const Surface& s, std::span<const Point> points) {
  bool negative = false;
  for (const SurfaceTerm& t : s.terms) {
    if (t.coefficient >= 0) continue;
    // a - b f(N): what does not need all of a few ranks' messages.
    if (s.terms.size() != 2 || &t == &s.terms[0] || t.ranks.Grows() ||
        !t.parameter.IsConstant() || !s.terms[0].ranks.IsConstant()) {
      return false;
    }
    negative = true;
  }
  return !negative || std::ranges::all_of(points, [&](const Point& p) {
    return s.At(p.ranks, p.parameter) >= 0;
  });
}

// Held-out errors in closed form, by the leverage of each point.
void Score(std::span<const Point> points, std::span<const double> weights,
           double scale, SurfaceTrial* trial) {
  const size_t n = trial->surface.terms.size();
  double sum = 0, squares = 0;
  for (size_t k = 0; k < points.size(); ++k) {
    const Row x = BasisOf(trial->surface.terms, points[k]);
    const double left = 1 - weights[k] * Form(trial->surface.covariance, x, n);
    const double residual =
        trial->surface.At(points[k].ranks, points[k].parameter) -
        points[k].mean;
    const double e = HeldOutError(
        points[k].mean,
        left < 1e-9 ? std::numeric_limits<double>::infinity() : residual / left,
        scale);
    sum += e;
    squares += e * e;
  }
  trial->error = sum / double(points.size());
  trial->score = std::sqrt(squares / double(points.size()));
}

std::vector<SurfaceTrial> TryAll(std::span<const Point> points,
                                 std::span<const double> weights) {
  static const std::vector<Hypothesis> hypotheses = MakeHypotheses();
  double largest = 0;
  for (const Point& p : points) largest = std::max(largest, p.mean);
  std::vector<SurfaceTrial> trials;
  for (const Hypothesis& h : hypotheses) {
    // A series of noughts is constant.
    if (largest <= 0 && !trials.empty()) break;
    if (h.terms.size() >= points.size() && !trials.empty()) continue;
    SurfaceTrial t;
    t.surface.terms = h.terms;
    t.prior = h.prior;
    if (!Solve(points, weights, &t.surface)) continue;
    if (!IsPlausible(t.surface, points)) continue;
    Score(points, weights, kLeastOfLargest * largest, &t);
    trials.push_back(std::move(t));
  }
  return trials;
}

void SetScatter(std::span<const Point> points, std::span<const double> weights,
                const Spread& spread, SurfaceFit* fit) {
  const Surface& best = fit->surfaces[0].first;
  const double left_over =
      std::max(1.0, double(points.size()) - double(best.terms.size()));
  double chi = 0;
  for (size_t k = 0; k < points.size(); ++k) {
    const double r =
        points[k].mean - best.At(points[k].ranks, points[k].parameter);
    chi += weights[k] * r * r / left_over;
  }
  const bool repeated = spread.freedom > 0;
  // One run each: weights are relative, so chi is a relative variance.
  fit->noise = std::sqrt(repeated ? spread.relative_variance : chi);
  fit->inflation = repeated ? std::max(1.0, chi) : chi;
  fit->freedom = repeated && chi <= 2 ? left_over + spread.freedom : left_over;
}

std::string PowerText(const Shape& shape, const std::string& name) {
  std::string text;
  const double size = std::abs(shape.power);
  if (size == 1) text = name;
  if (size != 0 && size != 1) text = fmt::format("{}^{:.3g}", name, size);
  for (int i = 0; i < shape.log_power; ++i) {
    text += (text.empty() ? "log " : " log ") + name;
  }
  return text;
}

}  // namespace

double Surface::At(double n, double p) const {
  double sum = 0;
  for (const SurfaceTerm& t : terms) sum += t.coefficient * t.BasisAt(n, p);
  return sum;
}

double Surface::VarianceAt(double n, double p) const {
  Point at;
  at.ranks = n;
  at.parameter = p;
  return std::max(0.0, Form(covariance, BasisOf(terms, at), terms.size()));
}

std::string Surface::ToString(const std::string& parameter) const {
  std::string out;
  for (const SurfaceTerm& t : terms) {
    const bool minus = t.coefficient < 0, begins = out.empty();
    if (!begins) out += minus ? " - " : " + ";
    if (begins && minus) out += '-';
    out += fmt::format("{:.3g}", std::abs(t.coefficient));
    for (const auto& [shape, name] : {std::pair{t.parameter, parameter},
                                      std::pair{t.ranks, std::string("N")}}) {
      const std::string text = PowerText(shape, name);
      if (!text.empty()) out += (shape.power < 0 ? " / " : " ") + text;
    }
  }
  return out;
}

Estimate SurfaceFit::At(double n, double p) const {
  std::vector<std::pair<double, double>> values;
  values.reserve(surfaces.size());
  for (const auto& [surface, belief] : surfaces) {
    values.emplace_back(std::max(0.0, surface.At(n, p)), belief);
  }
  const Middle middle = MiddleOf(std::move(values));
  Estimate e;
  e.value = middle.value;
  e.freedom = freedom;
  e.statistical = inflation * surfaces[0].first.VarianceAt(n, p) +
                  noise * noise * e.value * e.value;
  const double doublings = std::max(0.0, std::log2(n / max_ranks)) +
                           std::max({0.0, std::log2(p / max_parameter),
                                     std::log2(min_parameter / p)});
  const double drift =
      std::max({held_out_error, noise, kLeastBend}) * doublings * e.value;
  e.structural = middle.variance + drift * drift;
  return e;
}

SurfaceFit FitSurface(std::span<const Point> points) {
  RANKSIGHT_REQUIRE(!points.empty());
  SurfaceFit fit;
  fit.min_parameter = points.front().parameter;
  for (const Point& p : points) {
    fit.max_ranks = std::max(fit.max_ranks, p.ranks);
    fit.max_parameter = std::max(fit.max_parameter, p.parameter);
    fit.min_parameter = std::min(fit.min_parameter, p.parameter);
  }
  const Spread spread = PooledSpread(points);
  const std::vector<double> weights = WeightsOf(points, spread);
  std::vector<SurfaceTrial> trials = TryAll(points, weights);
  if (trials.empty()) {
    // No law gives negative times, as damaged traces may hold them: none at
    // all then.
    SurfaceTrial none;
    none.surface.terms = {TermOf(kOne, kOne)};
    trials.push_back(std::move(none));
  }
  double least = 2, sum = 0;
  for (const SurfaceTrial& t : trials) least = std::min(least, t.score);
  const double noise = std::sqrt(spread.relative_variance);
  for (SurfaceTrial& t : trials) {
    t.belief = BeliefOf(t.prior, t.score, least, double(points.size()), noise);
    sum += t.belief;
  }
  std::ranges::stable_sort(trials,
                           [](const SurfaceTrial& a, const SurfaceTrial& b) {
                             return a.belief > b.belief;
                           });
  for (SurfaceTrial& t : trials) {
    if (t.belief < kLeastSurfaceBelief * sum) break;
    fit.surfaces.emplace_back(std::move(t.surface), t.belief / sum);
  }
  fit.held_out_error = trials[0].error;
  SetScatter(points, weights, spread, &fit);
  return fit;
}

}  // namespace ranksight::online_model
