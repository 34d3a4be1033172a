#include "adapters/c_mpi/times.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ranksight::adapters::c_mpi {
namespace {

// POINTS of support/computation.c. Doubling them halves the error of a
// quantile between two points; the mean is exact whatever they are.
constexpr int kPoints = 17;

}  // namespace

std::string TimesText(double first, const reduction::TimeSummary& compute,
                      size_t place, double scale) {
  const bool has_rest = compute.rest.moments().count > 0;
  const double mean = compute.Mean(false);
  const double share = compute.ShareBetweenRanks();
  const double jitter = (1 - share) * (has_rest ? compute.JitterShare() : 1);
  // Steps of the inverse of the plastic number spread starts evenly, however
  // many calls there are.
  const double start = std::fmod(0.5 + 0.7548776662466927 * double(place), 1);
  std::string points;
  for (int i = 0; i < kPoints; ++i) {
    const double q = double(i) / (kPoints - 1);
    points += fmt::format("{}{:.5g}", i > 0 ? ", " : "",
                          has_rest ? compute.rest.Quantile(q) : mean);
  }
  return fmt::format(
      "{:.6g}, {:.6g}, {:.4g}, {:.4g}, {:.4g}, {:.4f}, {{{}}}, {:.6g}", first,
      mean, std::sqrt(share), std::sqrt(jitter),
      std::sqrt(std::max(0.0, 1 - share - jitter)), start, points, scale);
}

}  // namespace ranksight::adapters::c_mpi
