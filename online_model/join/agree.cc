#include "online_model/join/agree.h"

#include <algorithm>
#include <cmath>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

constexpr double kFarthest = 100;
constexpr int kHalvings = 60;

double SumOf(const std::vector<Summand>& parts) {
  double sum = 0;
  for (const Summand& p : parts) sum += p.occurrences * p.value;
  return sum;
}

// As if all parts were off the same way.
double HalfWidthOf(const std::vector<Summand>& parts) {
  double sum = 0;
  for (const Summand& p : parts) sum += p.occurrences * p.value * p.half_width;
  return sum;
}

// By 1 and -1 to the ends of its interval.
double Moved(const Summand& p, double by) {
  return p.value * std::pow(1 + p.half_width, by);
}

// How far all have to be moved for this sum, as far as that can be had.
double MoveFor(double sum, const std::vector<Summand>& parts) {
  double low = -kFarthest, high = kFarthest;
  for (int i = 0; i < kHalvings; ++i) {
    const double by = (low + high) / 2;
    double moved = 0;
    for (const Summand& p : parts) moved += p.occurrences * Moved(p, by);
    (moved < sum ? low : high) = by;
  }
  return (low + high) / 2;
}

}  // namespace

double Agree(double sum, double half_width, std::vector<Summand>* parts) {
  RANKSIGHT_REQUIRE(parts != nullptr);
  const double own = SumOf(*parts), own_half_width = HalfWidthOf(*parts);
  for (const double x : {sum, half_width, own, own_half_width}) {
    if (!(x > 0) || !std::isfinite(x)) return own_half_width;
  }
  // Both are weighed by how well they are known.
  const double a = 1 / (own_half_width * own_half_width);
  const double b = 1 / (half_width * half_width);
  const double by = MoveFor((a * own + b * sum) / (a + b), *parts);
  for (Summand& p : *parts) p.value = Moved(p, by);
  const double agreed = SumOf(*parts);
  const double from_own = std::abs(own - agreed);
  const double from_sum = std::abs(sum - agreed);
  // Never surer than the better known of the two, and reaching both where they
  // cannot both be right.
  return std::max({std::min(own_half_width, half_width),
                   std::min(from_own, from_sum), from_own - own_half_width,
                   from_sum - half_width});
}

}  // namespace ranksight::online_model
