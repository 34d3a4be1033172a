#include "adapters/c_mpi/times.h"

#include <fmt/core.h>

#include <cmath>

namespace ranksight::adapters::c_mpi {
namespace {

// POINTS of support/computation.c. Doubling them halves the error of a
// quantile between two points; the mean is exact whatever they are.
constexpr int kPoints = 17;

}  // namespace

std::string TimesText(const reduction::EventTimes& times, double scale) {
  const bool has_rest = times.compute.moments().count > 0;
  const bool has_first = times.first_compute.count > 0;
  const double mean =
      has_rest ? times.compute.moments().Mean() : times.first_compute.Mean();
  const double first = has_first ? times.first_compute.Mean() : mean;
  const double share = times.ComputeShareBetweenRanks();
  std::string points;
  for (int i = 0; i < kPoints; ++i) {
    const double q = double(i) / (kPoints - 1);
    points += fmt::format("{}{:.5g}", i > 0 ? ", " : "",
                          has_rest ? times.compute.Quantile(q) : mean);
  }
  return fmt::format("{{{:.6g}, {:.6g}, {:.4g}, {:.4g}, {{{}}}, {:.6g}, 0}}",
                     first, mean, std::sqrt(share), std::sqrt(1 - share),
                     points, scale);
}

}  // namespace ranksight::adapters::c_mpi
