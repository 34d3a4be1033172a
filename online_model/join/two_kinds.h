// Two kinds of places, told apart by the spread of what is computed there.
// Thread-safety: pure functions.
#pragma once

#include "reduction/api/sketch.h"

namespace ranksight::online_model {

// Two kinds of places, a share of which is heavy, that have this mean and
// spread.
struct TwoKinds {
  double heavy = 0, light = 0;
};
TwoKinds Split(double mean, double deviation, double share);

// How far two kinds are from the extremes that were seen; 0 is exact.
double Distance(const reduction::Moments& rest, double share);

}  // namespace ranksight::online_model
