// The time of a run from estimates of all its parts and of the whole.
//
// Bottom-up: S is the sum over events of the estimated computation and call
// seconds of a mean rank, c the mean ratio of measured run time to measured
// sum (slowest rank against mean rank, and what lies outside events). The
// first estimate is c S. Top-down: E is that of the run time itself. The
// forecast is their mean weighted by inverse squared interval width; their
// disagreement widens the interval.
//
// Errors of the parts are neither independent nor equal: how far they move
// together is estimated from the residuals where runs were measured.
//
// Thread-safety: value types. Complexity: O(parts).
#pragma once

#include <span>
#include <vector>

#include "online_model/fit/series_fit.h"

namespace ranksight::online_model {

struct Total {
  double seconds = 0, half_width = 0;
  double compute = 0, call = 0;  // of the fitted parts, not calibrated
};

struct PartsToWhole {
  double ratio = 1, ratio_variance = 0;
  double correlation = 1;

  // REQUIRES: elapsed and sums are of the same sizes.
  void SetRatio(std::span<const Point> elapsed, std::span<const Point> sums);
};

// residuals: by size, of each part.
double CorrelationOf(const std::vector<std::vector<double>>& residuals);

// parts: two an event, computation before it and time in the call.
Total JoinParts(std::span<const Estimate> parts, const Estimate& whole,
                const PartsToWhole& join);

}  // namespace ranksight::online_model
