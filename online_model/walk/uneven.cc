#include "online_model/walk/uneven.h"

#include <numeric>

namespace ranksight::online_model {
namespace {

// Less is taken for jitter.
constexpr double kLeastDeviation = 0.05;
// By how much a share may lie outside 0 and 1, as the few ranks of a run make
// it.
constexpr double kSlack = 0.05;

}  // namespace

double Uneven::At(double share) const {
  const double line = 1 - at_least - at_most;
  if (share < at_least) return least;
  if (share > 1 - at_most || line <= 0) return most;
  return least + (most - least) * (share - at_least) / line;
}

Uneven UnevenOf(double deviation, double least, double most) {
  const double range = most - least;
  if (deviation < kLeastDeviation || range <= 0) return {};
  // From 0 to 1, mean and square are at_most + line / 2 and at_most + line / 3.
  const double mean = (1 - least) / range;
  const double square = mean * mean + deviation * deviation / range / range;
  double line = 6 * (mean - square);
  if (line > 1 + kSlack) return {};
  line = line < 0 ? 0 : line > 1 ? 1 : line;
  const double at_most = mean - line / 2, at_least = 1 - line - at_most;
  if (at_most < -kSlack || at_least < -kSlack) return {};
  return {least, most, at_least < 0 ? 0 : at_least, at_most < 0 ? 0 : at_most};
}

int64_t StrideOf(int64_t ranks) {
  int64_t stride = int64_t(0.618 * double(ranks)) | 1;
  while (std::gcd(stride, ranks) != 1) ++stride;
  return stride;
}

}  // namespace ranksight::online_model
