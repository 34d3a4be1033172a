#include "online_model/fit/memory_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "online_model/fit/series_fit.h"
#include "online_model/fit/weights.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// How far resident memory is from what a program asked for: kernels count in
// steps of 64 pages a thread, and allocators keep some. Doubling these doubles
// the interval of a law that meets all points.
constexpr double kStepBytes = 256 * 1024, kShare = 0.001;

double DeviationOf(const Point& p) { return kStepBytes + kShare * p.mean; }

double GrowthAt(MemoryLaw::Growth growth, double ranks) {
  switch (growth) {
    case MemoryLaw::Growth::kLinear:
      return ranks;
    case MemoryLaw::Growth::kRoot:
      return std::sqrt(ranks);
    case MemoryLaw::Growth::kLogarithm:
      break;
  }
  return std::log2(ranks);
}

// Laws tell as well as the best whose misfit is within what a law of one more
// term gains by chance, nine times in ten.
constexpr double kAsGood = 2.71;

}  // namespace

ThreeFactors MemoryLaw::TermsAt(double ranks) const {
  RANKSIGHT_REQUIRE(ranks > 0);
  return {std::pow(ranks, -power), 1, GrowthAt(growth, ranks)};
}

ThreeFactors MemoryLaw::PartsAt(double ranks) const {
  ThreeFactors parts = TermsAt(ranks);
  for (size_t i = 0; i < parts.size(); ++i) parts[i] *= factors[i];
  return parts;
}

double MemoryLaw::At(double ranks) const {
  const ThreeFactors parts = PartsAt(ranks);
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

MemoryFit::Fitted MemoryFit::FitLaw(std::span<const Point> points,
                                    MemoryLaw law) {
  std::vector<WeightedRow> rows;
  for (const Point& p : points) {
    const double deviation = DeviationOf(p);
    WeightedRow row = {law.TermsAt(p.ranks), p.mean / deviation};
    for (double& term : row.terms) term /= deviation;
    rows.push_back(row);
  }
  const NonNegativeFit fit = FitNonNegative(rows);
  law.factors = fit.factors;
  return {law, CovarianceOf(rows), fit.squares};
}

MemoryFit::MemoryFit(std::span<const Point> points) {
  RANKSIGHT_REQUIRE(points.size() >= 3);
  RANKSIGHT_REQUIRE(std::ranges::is_sorted(points, {}, &Point::ranks));
  std::vector<Fitted> all;
  for (const double power : {1.0, 2.0 / 3, 0.5}) {
    for (const auto growth :
         {MemoryLaw::Growth::kLinear, MemoryLaw::Growth::kRoot,
          MemoryLaw::Growth::kLogarithm}) {
      all.push_back(FitLaw(points, {power, growth, {}}));
    }
  }
  const double least = std::ranges::min(all, {}, &Fitted::misfit).misfit;
  const double freedom = std::max(1.0, double(points.size()) - 3);
  const double inflation = std::max(1.0, std::sqrt(least / freedom));
  for (const Fitted& one : all) {
    if (one.misfit <= least + kAsGood * inflation * inflation) {
      laws_.push_back(one);
    }
  }
  // Deviations are known beforehand unless no law meets the points.
  reach_ = inflation > 1 ? inflation * StudentT90(freedom) : kNormal90;
}

MemoryFit::Interval MemoryFit::At(double ranks) const {
  Interval out = {law().At(ranks), std::numeric_limits<double>::infinity(), 0};
  // All laws that meet the points count: beyond the points they part.
  for (const Fitted& one : laws_) {
    const ThreeFactors terms = one.law.TermsAt(ranks);
    double variance =
        one.covariance ? 0 : std::numeric_limits<double>::infinity();
    for (size_t i = 0; one.covariance && i < terms.size(); ++i) {
      for (size_t k = 0; k < terms.size(); ++k) {
        variance += terms[i] * (*one.covariance)[i][k] * terms[k];
      }
    }
    const double width = reach_ * std::sqrt(std::max(0.0, variance));
    out.low = std::min(out.low, std::max(0.0, one.law.At(ranks) - width));
    out.high = std::max(out.high, one.law.At(ranks) + width);
  }
  return out;
}

}  // namespace ranksight::online_model
