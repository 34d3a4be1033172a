// a / N + b + c log2 N with a, b, c >= 0: what stands where too little is known
// for anything better. Of two rank counts on.
//
// Thread-safety: pure functions. Complexity: O(points).
#pragma once

#include <span>

#include "online_model/fit/curve.h"
#include "online_model/series/statistics.h"

namespace ranksight::online_model {

struct PlainFit {
  double inverse = 0, constant = 0, logarithm = 0;
  // What an end of the 90 % interval is taken to be off by, log, at the largest
  // rank count measured; and beyond it, for each doubling.
  double miss = 0, miss_a_doubling = 0;
  double largest = 1;

  double At(double ranks) const;
  double MissAt(double ranks) const;
};

// The one with the least sum of squared relative errors. REQUIRES: two points
// or more, ascending, means above 0.
PlainFit FitPlain(std::span<const Point> points);

}  // namespace ranksight::online_model
