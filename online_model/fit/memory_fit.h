// A / N^p + B + C g(N), none below 0, through what a rank holds in memory at a
// few rank counts; with the interval that all such laws leave open which meet
// these about as well.
//
// Memory hardly scatters: kernels count in steps, libraries keep buffers for a
// while. What is smaller than that can still be large at many ranks, and the
// interval holds it.
// Thread-safety: value types. Complexity: O(points) for each of nine laws.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "online_model/fit/non_negative.h"
#include "online_model/series/statistics.h"

namespace ranksight::online_model {

struct MemoryLaw {
  enum class Growth { kLinear, kRoot, kLogarithm };
  double power = 1;  // of what is divided
  Growth growth = Growth::kLinear;
  ThreeFactors factors{};  // A, B, C

  ThreeFactors TermsAt(double ranks) const;
  // What each of the three terms holds.
  ThreeFactors PartsAt(double ranks) const;
  double At(double ranks) const;
};

class MemoryFit {
 public:
  struct Interval {
    double value = 0, low = 0, high = 0;  // 90 %
  };

  // REQUIRES: three points or more, ascending rank counts, means above 0.
  explicit MemoryFit(std::span<const Point> points);
  // What meets the points best; of those that do so about as well the first
  // tried: volumes before surfaces, what grows with N before roots.
  const MemoryLaw& law() const { return laws_.front().law; }
  // Infinite where the points do not tell the terms apart.
  Interval At(double ranks) const;

 private:
  struct Fitted {
    MemoryLaw law;
    std::optional<std::array<ThreeFactors, 3>> covariance;
    double misfit = 0;  // sum of squares, in deviations
  };
  static Fitted FitLaw(std::span<const Point> points, MemoryLaw law);

  std::vector<Fitted> laws_;  // that chosen, then others that are as good
  double reach_ = 0;          // of the interval, in deviations
};

}  // namespace ranksight::online_model
