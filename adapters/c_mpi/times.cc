#include "adapters/c_mpi/times.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ranksight::adapters::c_mpi {
namespace {

// POINTS of support/computation.c. Doubling them halves the error of a
// quantile between two points; the mean is exact whatever they are.
constexpr int kPoints = 17;

// As in replays (replay_engine/compute/sampler.h): what varies more than this
// share of the mean belongs to the occurrence and is the same on all ranks.
constexpr double kJitter = 0.2;
constexpr int kStrata = 512;
// Of the strata, at each end: rare interruptions.
constexpr int kRare = kStrata / 50;

double JitterShare(const reduction::Sketch& compute) {
  reduction::Moments usual;
  for (int i = kRare; i < kStrata - kRare; ++i) {
    usual.Add(compute.Quantile((i + 0.5) / kStrata));
  }
  const double jitter = kJitter * usual.Mean();
  const double variance = usual.Variance();
  if (variance <= jitter * jitter) return 1;
  return std::pow(jitter * jitter / variance, 2);
}

}  // namespace

std::string TimesText(const reduction::EventTimes& times, double scale) {
  const bool has_rest = times.compute.moments().count > 0;
  const bool has_first = times.first_compute.count > 0;
  const double mean =
      has_rest ? times.compute.moments().Mean() : times.first_compute.Mean();
  const double first = has_first ? times.first_compute.Mean() : mean;
  const double share = times.ComputeShareBetweenRanks();
  const double jitter =
      (1 - share) * (has_rest ? JitterShare(times.compute) : 1);
  std::string points;
  for (int i = 0; i < kPoints; ++i) {
    const double q = double(i) / (kPoints - 1);
    points += fmt::format("{}{:.5g}", i > 0 ? ", " : "",
                          has_rest ? times.compute.Quantile(q) : mean);
  }
  return fmt::format(
      "{{{:.6g}, {:.6g}, {:.4g}, {:.4g}, {:.4g}, 0, {{{}}}, {:.6g}, 0}}", first,
      mean, std::sqrt(share), std::sqrt(jitter),
      std::sqrt(std::max(0.0, 1 - share - jitter)), points, scale);
}

}  // namespace ranksight::adapters::c_mpi
