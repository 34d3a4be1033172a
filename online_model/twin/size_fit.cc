#include "online_model/twin/size_fit.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "online_model/fit/series_fit.h"

namespace ranksight::online_model {
namespace {

// A fit that foretells each size from the others this well is believed.
constexpr double kWellFitted = 0.03;
// Counts that grow with the ranks, as partners do, are exact, or grow ever
// slower, which the sizes at hand do not show: a curve through four of them
// that is off by more than what is rounded runs on as they did. Of distributed
// tables (tests/idioms, odd seeds), whose curves were within 3 %, twins were 16
// to 31 % off at twice the largest run, and by the power 1 to 4 %.
constexpr double kWellCounted = 0.005;
// By so much, relatively, a value may be off the curve by chance, whatever the
// few sizes say: lengths of messages more than their number.
constexpr double kChance = 0.1, kChanceOfCounts = 0.05;
// Partners of a rank grow ever slower once most of what is near are there,
// which small runs do not show: a power below 1 is taken by so much. Of
// irregular graphs (tests/idioms, odd seeds) four sizes then tell the number at
// twice and four times the largest within 4 % in the median; with 1 it is 10
// and 24 %.
constexpr double kSlower = 0.5;

// A power of the rank count as far as it stands out of the noise, from what the
// largest sizes have: of a few small sizes a curve with more freedom runs away.
Fitted ShrunkPower(std::span<const SizedValue> points, double ranks,
                   bool counts) {
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, n = 0;
  for (const SizedValue& m : points) {
    if (m.value <= 0) continue;
    mean_x += std::log(double(m.ranks));
    mean_y += std::log(m.value);
    ++n;
  }
  if (n == 0) return {};
  mean_x /= n;
  mean_y /= n;
  for (const SizedValue& m : points) {
    if (m.value <= 0) continue;
    const double x = std::log(double(m.ranks)) - mean_x;
    xx += x * x;
    xy += x * (std::log(m.value) - mean_y);
  }
  const double slope = xx == 0 ? 0 : xy / xx;
  double residual = 0;
  for (const SizedValue& m : points) {
    if (m.value <= 0) continue;
    const double off = std::log(m.value) - mean_y -
                       slope * (std::log(double(m.ranks)) - mean_x);
    residual += off * off;
  }
  const double chance = counts ? kChanceOfCounts : kChance;
  const double noise = residual / std::max(1.0, n - 2) + chance * chance;
  const double doubt = xx == 0 ? 0 : noise / xx;
  const double power =
      slope == 0 ? 0 : slope * std::max(0.0, 1 - doubt / (slope * slope));
  const SizedValue& last = points.back();
  const double at = std::log(double(last.ranks));
  const double fitted = mean_y + power * (at - mean_x);
  const double level =
      last.value > 0 ? (fitted + std::log(last.value)) / 2 : fitted;
  const double further = std::log(ranks) - at;
  const double slower = counts ? std::clamp(power, kSlower, 1.0) : 1;
  const double value = std::exp(level + slower * power * further);
  return {value, 1.645 * value * std::sqrt(noise + doubt * further * further)};
}

Fitted FitPoints(std::span<const SizedValue> points, int64_t ranks,
                 bool per_rank) {
  std::vector<Point> series;
  std::vector<SizedValue> means;
  for (const SizedValue& m : points) {
    Point p;
    p.ranks = double(m.ranks);
    p.runs = 1;
    p.mean = per_rank ? m.value / double(m.ranks) : m.value;
    series.push_back(p);
    means.push_back({m.ranks, p.mean});
  }
  const double times = per_rank ? double(ranks) : 1;
  if (HasReachedLimit(points)) {
    const Fitted power = ShrunkPower(means, double(ranks), per_rank);
    const double limit = points.back().value;
    return {limit,
            std::max(power.half_width, std::abs(power.value * times - limit))};
  }
  const SeriesFit fit = FitSeries(series);
  if (fit.model.held_out_error > (per_rank ? kWellCounted : kWellFitted)) {
    const Fitted power = ShrunkPower(means, double(ranks), per_rank);
    return {power.value * times, power.half_width * times};
  }
  const Estimate e = fit.At(double(ranks));
  return {std::max(0.0, e.value) * times, e.HalfWidth() * times};
}

// A form foretells each size but the smallest from the others so well, or it is
// none: sums over a grid follow its sides exactly but for what is rounded. With
// twice as much forms pass by chance.
constexpr double kFollowsSides = 0.01;

// What a sum may be made of, at one size.
using Terms = std::vector<double>;

// Cuts across sides (faces of all ranks are as long as the mesh there), pairs
// of neighbours across them, and both of grids that are closed; lines of ranks
// along a side, which share the mesh across it; a side for itself, or all of
// them.
Terms TermsOf(int64_t ranks, const std::vector<int64_t>& sides) {
  Terms terms{1, double(ranks)};
  Terms together(4, 0.0);
  for (const int64_t side : sides) {
    const auto d = double(side);
    const Terms of_side{d - 1, double(ranks) - double(ranks) / d,
                        d * std::min(d - 1, 2.0), double(ranks) / d};
    for (size_t i = 0; i < of_side.size(); ++i) together[i] += of_side[i];
    terms.insert(terms.end(), of_side.begin(), of_side.end());
  }
  terms.insert(terms.end(), together.begin(), together.end());
  return terms;
}

// One term or two with what they count, neither below 0.
struct SidesForm {
  size_t a = 0;
  std::optional<size_t> b;
};

class SidesFitter {
 public:
  explicit SidesFitter(std::span<const SizedValue> points) : points_(points) {
    for (const SizedValue& p : points) {
      rows_.push_back(TermsOf(p.ranks, p.sides));
    }
  }

  // What the form says of terms, fitted to all points but one; nothing where
  // they do not tell it.
  std::optional<double> At(const SidesForm& form, const Terms& wanted,
                           std::optional<size_t> without) const {
    double aa = 0, ab = 0, bb = 0, av = 0, bv = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (i == without) continue;
      // Relative to the value: a small size tells as much as a large one.
      const double a = rows_[i][form.a] / points_[i].value;
      const double b = form.b ? rows_[i][*form.b] / points_[i].value : 0;
      aa += a * a, ab += a * b, bb += b * b;
      av += a, bv += b;
    }
    if (!form.b)
      return aa == 0 ? std::nullopt : std::optional(wanted[form.a] * av / aa);
    const double det = aa * bb - ab * ab;
    if (det <= 1e-9 * aa * bb) return std::nullopt;
    const double of_a = (av * bb - bv * ab) / det;
    const double of_b = (bv * aa - av * ab) / det;
    if (of_a < 0 || of_b < 0) return std::nullopt;
    return wanted[form.a] * of_a + wanted[*form.b] * of_b;
  }

  // How far off a size is that was left out; nothing where one cannot be told.
  std::optional<double> Error(const SidesForm& form) const {
    double worst = 0;
    for (size_t i = 1; i < rows_.size(); ++i) {
      const auto told = At(form, rows_[i], i);
      if (!told) return std::nullopt;
      worst = std::max(worst, std::abs(*told / points_[i].value - 1));
    }
    return worst;
  }

  std::vector<SidesForm> Forms() const {
    std::vector<SidesForm> forms;
    const size_t terms = rows_[0].size();
    for (size_t a = 0; a < terms; ++a) {
      if (a == 0 || Varies(a)) forms.push_back({a, {}});
    }
    const size_t single = forms.size();
    // Two numbers of three sizes would be told by anything.
    for (size_t i = 0; rows_.size() > 3 && i < single; ++i) {
      for (size_t k = i + 1; k < single; ++k) {
        forms.push_back({forms[i].a, forms[k].a});
      }
    }
    return forms;
  }

 private:
  // A side that is the same in all runs tells nothing of another.
  bool Varies(size_t term) const {
    return std::ranges::any_of(
        rows_, [&](const Terms& t) { return t[term] != rows_[0][term]; });
  }

  std::span<const SizedValue> points_;
  std::vector<Terms> rows_;
};

// Products of how many ranks there are and how many are together foretell each
// size so well, or they are none: blocks dealt out by turns are half a block
// more on the ranks that come first. Set on block_cyclic 501 and 503 and summa
// 503 (tests/idioms); with twice as much a value that wavers is told by chance.
constexpr double kFollowsParts = 0.06;

struct PartsPowers {
  int of_ranks = 0, of_together = 0;
  double Of(double ranks, double together) const {
    return std::pow(ranks, of_ranks) * std::pow(together, of_together);
  }
};
constexpr PartsPowers kPartsForms[] = {{0, 0},  {0, 1},   {0, -1},
                                       {1, 0},  {-1, 0},  {-1, 1},
                                       {1, -1}, {-1, -1}, {1, 1}};

bool HaveSides(std::span<const SizedValue> points, const WantedSize& wanted) {
  return points.size() > 2 && !wanted.sides.empty() &&
         std::ranges::all_of(points, [&](const SizedValue& p) {
           return p.value > 0 && p.sides.size() == wanted.sides.size();
         });
}

}  // namespace

bool HasReachedLimit(std::span<const SizedValue> points) {
  const size_t n = points.size();
  return n > 2 && points[n - 1].value == points[n - 2].value &&
         points[0].value != points[n - 1].value;
}

Fitted FitBySides(std::span<const SizedValue> points,
                  const WantedSize& wanted) {
  Fitted best{-1, 0};
  if (!HaveSides(points, wanted)) return best;
  const SidesFitter fitter(points);
  const Terms terms = TermsOf(wanted.ranks, wanted.sides);
  double least = kFollowsSides;
  std::vector<double> told;
  for (const SidesForm& form : fitter.Forms()) {
    const auto error = fitter.Error(form);
    if (!error || *error > kFollowsSides) continue;
    const auto value = fitter.At(form, terms, std::nullopt);
    if (!value) continue;
    told.push_back(*value);
    // One that needs less stands first; another must be better, not as good.
    if (best.value >= 0 && (least <= 1e-9 || *error > 0.5 * least)) {
      continue;
    }
    best.value = *value;
    // Below this it is rounding that differs.
    least = std::max(*error, 1e-9);
  }
  // What other forms say that the runs do not tell from it is open, too.
  for (const double other : told) {
    best.half_width = std::max(best.half_width, std::abs(other - best.value));
  }
  if (best.value >= 0) best.half_width += kFollowsSides * best.value;
  return best;
}

double FitByParts(std::span<const PartsValue> points, int64_t ranks,
                  double together) {
  if (points.size() < 3 || together <= 0) return -1;
  const PartsValue& last = points.back();
  double best = -1, least = kFollowsParts;
  for (const PartsPowers& form : kPartsForms) {
    double worst = 0;
    for (const PartsValue& p : points) {
      if (p.value <= 0 || p.together <= 0) return -1;
      const double told =
          last.value * form.Of(double(p.ranks) / double(last.ranks),
                               p.together / last.together);
      worst = std::max(worst, std::abs(told / p.value - 1));
    }
    // One that needs less stands first.
    if (worst >= least) continue;
    least = worst;
    best = last.value * form.Of(double(ranks) / double(last.ranks),
                                together / last.together);
  }
  return best;
}

Fitted FitTotal(std::span<const SizedValue> points, const WantedSize& wanted) {
  const Fitted by_sides = FitBySides(points, wanted);
  if (by_sides.value >= 0) return by_sides;
  return FitPoints(points, wanted.ranks, true);
}

Fitted FitMean(std::span<const SizedValue> points, int64_t ranks) {
  return FitPoints(points, ranks, false);
}

}  // namespace ranksight::online_model
