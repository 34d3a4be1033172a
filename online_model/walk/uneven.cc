#include "online_model/walk/uneven.h"

#include <algorithm>
#include <numeric>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// Less is taken for jitter: where nothing is known of it, and where it is.
constexpr double kLeastDeviation = 0.05, kLeastPersistent = 0.01;
// How much more than jitter work has to differ.
constexpr double kMoreThanJitter = 3;
// By how much a share may lie outside 0 and 1, as the few ranks of a run make
// it.
constexpr double kSlack = 0.05;

double Within01(double share) { return std::clamp(share, 0.0, 1.0); }

// Some at the top, the others on a line from the bottom up to a part of the
// range: of mean and square, both over that range.
// None where the others lie closer than on such a line.
struct Outliers {
  double share = 0, to = 0;
};
std::optional<Outliers> OutliersOf(double mean, double square) {
  if (square < 4.0 / 3 * mean * mean) return std::nullopt;
  // square = q + 4/3 (mean - q)^2 / (1 - q), which grows with q
  double low = 0, high = mean;
  for (int i = 0; i < 50; ++i) {
    const double q = (low + high) / 2;
    const double s = q + 4.0 / 3 * (mean - q) * (mean - q) / (1 - q);
    (s < square ? low : high) = q;
  }
  return Outliers{low, std::min(1.0, 2 * (mean - low) / (1 - low))};
}

bool IsLittle(double deviation, std::optional<double> jitter) {
  if (!jitter) return deviation < kLeastDeviation;
  return deviation < kLeastPersistent || deviation < kMoreThanJitter * *jitter;
}

}  // namespace

double Uneven::At(double share) const {
  const double line = 1 - at_least - at_most;
  if (share < at_least) return least;
  if (share > 1 - at_most || line <= 0) return most;
  return from + (to - from) * (share - at_least) / line;
}

Uneven UnevenOf(double deviation, double least, double most,
                std::optional<double> jitter) {
  const double range = most - least;
  if (IsLittle(deviation, jitter) || range <= 0) return {};
  // From 0 to 1, mean and square are at_most + line / 2 and at_most + line / 3.
  const double mean = (1 - least) / range;
  const double square = mean * mean + deviation * deviation / range / range;
  const double line = 6 * (mean - square);
  if (line > 1 + kSlack) return {};
  const double at_most = mean - Within01(line) / 2;
  const double at_least = 1 - Within01(line) - at_most;
  Uneven u{least, most, Within01(at_least), Within01(at_most), least, most};
  if (at_most < 0) {
    const auto few = OutliersOf(mean, square);
    if (!few) return {};
    u.at_least = 0;
    u.at_most = few->share;
    u.to = least + few->to * range;
  } else if (at_least < 0) {
    const auto few = OutliersOf(1 - mean, 1 - 2 * mean + square);
    if (!few) return {};
    u.at_least = few->share;
    u.at_most = 0;
    u.from = most - few->to * range;
  }
  return u;
}

int64_t StrideOf(int64_t ranks) {
  RANKSIGHT_REQUIRE(ranks > 0);
  int64_t stride = int64_t(0.618 * double(ranks)) | 1;
  while (std::gcd(stride, ranks) != 1) ++stride;
  return stride;
}

}  // namespace ranksight::online_model
