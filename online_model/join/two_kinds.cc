#include "online_model/join/two_kinds.h"

#include <algorithm>
#include <cmath>

namespace ranksight::online_model {

TwoKinds Split(double mean, double deviation, double share) {
  if (share <= 0 || share >= 1) return {mean, mean};
  return {mean + deviation * std::sqrt((1 - share) / share),
          std::max(0.0, mean - deviation * std::sqrt(share / (1 - share)))};
}

double Distance(const reduction::Moments& rest, double share) {
  if (rest.max <= 0) return 0;
  const double deviation = std::sqrt(rest.Variance());
  if (share <= 0 || share >= 1) return deviation / rest.max;
  const TwoKinds k = Split(rest.Mean(), deviation, share);
  return (std::abs(k.heavy - rest.max) + std::abs(k.light - rest.min)) /
         rest.max;
}

}  // namespace ranksight::online_model
