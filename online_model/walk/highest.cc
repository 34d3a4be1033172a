#include "online_model/walk/highest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// Of one draw of the walk, the mean of four uniform numbers; of n alike added
// up the nth part of it.
constexpr double kKurtosisOfOne = -0.3;

// The number that a share of a normal distribution is above; within 5e-4
// (Abramowitz, Stegun, "Handbook of Mathematical Functions", 26.2.23).
double NormalAbove(double share) {
  RANKSIGHT_REQUIRE(share > 0 && share < 1);
  const double t = std::sqrt(-2 * std::log(std::min(share, 1 - share)));
  const double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                           (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  return share < 0.5 ? z : -z;
}

}  // namespace

double ExpectedHighest(double numbers, double kurtosis) {
  if (numbers <= 1) return 0;
  // The share that is above the highest of n, in the middle (Blom, 1958).
  const double z = NormalAbove(0.625 / (numbers + 0.25));
  // Cornish, Fisher, 1938: the first term of an even distribution, which ends
  // where it would turn back.
  const double bent = kurtosis / 24;
  const double most =
      bent < 0 ? std::sqrt((3 * bent - 1) / (3 * bent)) : INFINITY;
  const double to = std::min(z, most);
  return to + bent * (to * to * to - 3 * to);
}

Highest::Highest(const std::vector<Program::Group>& groups)
    : groups_(groups), sums_(groups.size()) {}

void Highest::Clear() { sums_.assign(groups_.size(), {}); }

void Highest::Add(size_t group, double time, double variance, double fourth) {
  RANKSIGHT_REQUIRE(group < sums_.size());
  Sum& s = sums_[group];
  s.most = s.count == 0 ? time : std::max(s.most, time);
  s.count += 1;
  const double off = time - s.mean;
  s.mean += off / s.count;
  s.squares += off * (time - s.mean);
  s.variance += variance;
  s.fourth += fourth;
}

double Highest::Last() const {
  double last = -std::numeric_limits<double>::infinity();
  for (size_t g = 0; g < sums_.size(); ++g) {
    const Sum& s = sums_[g];
    if (s.count == 0) continue;
    double beyond = 0;
    if (groups_[g].ranks > groups_[g].actors && s.variance > 0) {
      // Of one actor variance^2 / fourth is the number of draws, all alike.
      const double draws = s.variance * s.variance / (s.fourth * s.count);
      const double kurtosis = kKurtosisOfOne / std::max(1.0, draws);
      // What differs by more than was drawn does not differ by chance; one
      // actor alone differs from none.
      double square = s.variance / s.count;
      if (s.count > 1) square = std::min(square, s.squares / (s.count - 1));
      const double deviation = std::sqrt(square);
      beyond = deviation * (ExpectedHighest(groups_[g].ranks, kurtosis) -
                            ExpectedHighest(groups_[g].actors, kurtosis));
    }
    last = std::max(last, s.most + beyond);
  }
  return last;
}

}  // namespace ranksight::online_model
