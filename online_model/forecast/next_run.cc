#include "online_model/forecast/next_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// A run further out than this factor beyond the largest measured is not
// proposed: whoever could afford it would have made it.
constexpr int64_t kReach = 4;
constexpr size_t kMostCandidates = 8;

int64_t Power(int64_t base, int exponent) {
  RANKSIGHT_REQUIRE(exponent >= 0);
  int64_t value = 1;
  for (int i = 0; i < exponent; ++i) value *= base;
  return value;
}

int64_t RootOf(int64_t n, int exponent) {
  RANKSIGHT_REQUIRE(n > 0 && exponent > 0);
  return std::llround(std::pow(double(n), 1.0 / exponent));
}

bool AllPowers(std::span<const int64_t> measured, int exponent) {
  return std::all_of(measured.begin(), measured.end(), [&](int64_t n) {
    return Power(RootOf(n, exponent), exponent) == n;
  });
}

// The factor from each to the next when it is one integer, else 0.
int64_t CommonFactor(std::span<const int64_t> measured) {
  if (measured.size() < 2 || measured[1] % measured[0] != 0) return 0;
  const int64_t factor = measured[1] / measured[0];
  for (size_t i = 1; i < measured.size(); ++i) {
    if (measured[i] != measured[i - 1] * factor) return 0;
  }
  return factor;
}

double Relative(double half_width, double value) {
  return value > 0 ? half_width / value
                   : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<int64_t> NextSizes(std::span<const int64_t> measured) {
  RANKSIGHT_REQUIRE(!measured.empty() && measured.front() >= 1);
  RANKSIGHT_REQUIRE(std::ranges::is_sorted(measured));
  const int64_t largest = measured.back();
  // Beyond this the products below could overflow; nobody has such a machine.
  if (largest > (int64_t{1} << 40)) return {largest};
  std::vector<int64_t> sizes;
  const auto add = [&](int64_t n) {
    if (sizes.empty() ||
        (n <= kReach * largest && sizes.size() < kMostCandidates)) {
      sizes.push_back(n);
      return true;
    }
    return false;
  };
  const int64_t factor = CommonFactor(measured);
  if (factor >= 2) {
    for (int64_t n = largest * factor; add(n); n *= factor) {
    }
    return sizes;
  }
  for (int exponent : {2, 3}) {
    if (measured.size() < 2 || !AllPowers(measured, exponent)) continue;
    for (int64_t root = RootOf(largest, exponent) + 1;
         add(Power(root, exponent)); ++root) {
    }
    return sizes;
  }
  for (int64_t n = largest * 2; add(n); n *= 2) {
  }
  return sizes;
}

NextRun ChooseNextRun(const TotalModel& model,
                      std::span<const int64_t> measured,
                      std::span<const int64_t> asked) {
  RANKSIGHT_REQUIRE(measured.size() >= 3);
  double target = double(measured.back()), widest = -1;
  for (int64_t n : asked) {
    if (n < 1) continue;
    const Total t = model.At(double(n));
    const double width = Relative(t.half_width, t.seconds);
    if (width > widest) {
      widest = width;
      target = double(n);
    }
  }
  std::vector<int64_t> candidates = NextSizes(measured);
  candidates.insert(candidates.begin(), measured.back());
  // Who asks for a size that was never run wants to know without running it.
  std::erase_if(candidates, [&](int64_t n) {
    return n > measured.back() && double(n) >= target;
  });
  std::vector<double> widths;
  const double value = model.At(target).seconds;
  for (int64_t n : candidates) {
    widths.push_back(Relative(model.HalfWidthIf(double(n), target), value));
  }
  const double least = *std::min_element(widths.begin(), widths.end());
  // The smallest run that does nearly as well is the cheapest.
  size_t chosen = 0;
  while (widths[chosen] > 1.1 * least) ++chosen;
  NextRun next;
  next.ranks = candidates[chosen];
  next.reason = widths[chosen] < widest
                    ? NarrowingText(target, widest, widths[chosen])
                    : TestingText(target);
  return next;
}

std::string NarrowingText(double ranks, double width, double narrowed) {
  // Neither is a figure to go by.
  if (narrowed > 1) {
    return fmt::format(
        "it would narrow the interval at {:.0f} ranks, which would stay wider "
        "than the forecast",
        ranks);
  }
  return fmt::format(
      "it would narrow the interval at {:.0f} ranks from about ±{:.0f} % to "
      "±{:.0f} %",
      ranks, 100 * width, 100 * narrowed);
}

std::string TestingText(double ranks) {
  return fmt::format("it would test the models nearest to {:.0f} ranks", ranks);
}

}  // namespace ranksight::online_model
