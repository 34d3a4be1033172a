#include "online_model/fit/plain_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "online_model/fit/non_negative.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// Of what is measured, where nothing says more, and for each doubling beyond:
// two or three runs do not tell what stops shrinking from what grows.
constexpr double kLeastMiss = 0.1, kLeastMissADoubling = 0.15;
// An error of one held-out size is a sample of one.
constexpr double kReach = 2;

ThreeFactors TermsAt(double ranks) { return {1 / ranks, 1, std::log2(ranks)}; }

// Relative: a mean of 1 is to be met by each.
WeightedRow RowOf(const Point& p) {
  WeightedRow row = {TermsAt(p.ranks), 1};
  for (double& x : row.terms) x /= p.mean;
  return row;
}

double ValueOf(const ThreeFactors& factors, double ranks) {
  const ThreeFactors terms = TermsAt(ranks);
  double sum = 0;
  for (size_t i = 0; i < terms.size(); ++i) sum += factors[i] * terms[i];
  return sum;
}

}  // namespace

double PlainFit::At(double ranks) const {
  return ValueOf({inverse, constant, logarithm}, ranks);
}

double PlainFit::MissAt(double ranks) const {
  RANKSIGHT_REQUIRE(ranks > 0 && largest > 0);
  const double doublings = std::max(0.0, std::log2(ranks / largest));
  return miss + doublings * miss_a_doubling;
}

PlainFit FitPlain(std::span<const Point> points) {
  RANKSIGHT_REQUIRE(points.size() >= 2);
  RANKSIGHT_REQUIRE(std::ranges::is_sorted(points, {}, &Point::ranks));
  std::vector<WeightedRow> rows;
  for (const Point& p : points) rows.push_back(RowOf(p));
  const NonNegativeFit all = FitNonNegative(rows);
  PlainFit fit{all.factors[0], all.factors[1],      all.factors[2],
               kLeastMiss,     kLeastMissADoubling, points.back().ranks};
  const double scatter = std::sqrt(all.squares / double(rows.size()));
  fit.miss = std::max(fit.miss, kReach * scatter);
  // Two points leave nothing to hold out: the miss grows faster instead.
  if (rows.size() <= 2) {
    fit.miss_a_doubling *= kReach;
    return fit;
  }
  // The largest size, predicted from the others, says how far off the fit is a
  // doubling beyond what it knows.
  rows.pop_back();
  const double held_out = std::abs(std::log(
      ValueOf(FitNonNegative(rows).factors, fit.largest) / points.back().mean));
  const double doublings =
      std::max(1.0, std::log2(fit.largest / points[points.size() - 2].ranks));
  fit.miss_a_doubling =
      std::max(fit.miss_a_doubling, kReach * held_out / doublings);
  return fit;
}

}  // namespace ranksight::online_model
