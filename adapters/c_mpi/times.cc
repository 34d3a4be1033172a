#include "adapters/c_mpi/times.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ranksight::adapters::c_mpi {
namespace {

// POINTS of support/benchmark.h. Doubling them halves the error of a
// quantile between two points; the mean is exact whatever they are.
constexpr int kPoints = 17;

// Share of the variance that lies between ranks. What the means of ranks
// differ by chance alone is taken off.
double ShareBetweenRanks(const reduction::EventTimes& times) {
  const double total = times.compute.moments().Variance();
  const uint64_t ranks = times.rank_compute.count;
  if (total <= 0 || ranks < 2) return 0;
  const double between = times.rank_compute.Variance();
  const double within = std::max(0.0, total - between);
  const double per_rank =
      std::max(1.0, double(times.compute.moments().count) / double(ranks));
  return std::clamp((between - within / per_rank) / total, 0.0, 1.0);
}

}  // namespace

std::string TimesText(const reduction::EventTimes& times, double scale) {
  const bool has_rest = times.compute.moments().count > 0;
  const bool has_first = times.first_compute.count > 0;
  const double mean =
      has_rest ? times.compute.moments().Mean() : times.first_compute.Mean();
  const double first = has_first ? times.first_compute.Mean() : mean;
  const double share = ShareBetweenRanks(times);
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
