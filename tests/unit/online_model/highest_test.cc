#include "online_model/walk/highest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ranksight::online_model {
namespace {

// The mean of the highest of n sums of so many draws of the walk's kind,
// tried out.
double TriedHighest(int n, int draws) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform;
  constexpr int kTries = 300;
  double sum = 0;
  for (int t = 0; t < kTries; ++t) {
    double most = -INFINITY;
    for (int i = 0; i < n; ++i) {
      double x = 0;
      for (int k = 0; k < 4 * draws; ++k) x += uniform(random) - 0.5;
      most = std::max(most, x * std::sqrt(3.0 / draws));
    }
    sum += most;
  }
  return sum / kTries;
}

TEST(Highest, OfManyDrawsIsWhatTryingGives) {
  EXPECT_EQ(ExpectedHighest(1, 0), 0);
  for (const int draws : {1, 4}) {
    for (const int n : {2, 16, 256, 2048}) {
      EXPECT_NEAR(ExpectedHighest(n, -0.3 / draws), TriedHighest(n, draws),
                  0.15)
          << draws << " draws, " << n;
    }
  }
}

TEST(Highest, RisesToTheEndOfTheDistribution) {
  double last = 0;
  for (double n = 2; n < 1e12; n *= 4) {
    EXPECT_GE(ExpectedHighest(n, -0.3), last);
    last = ExpectedHighest(n, -0.3);
  }
  EXPECT_LT(last, 4);
}

TEST(Highest, OfRanksThatAreAllThereIsTheirOwn) {
  const std::vector<Program::Group> groups = {{3, 3}, {100, 2}};
  Highest highest(groups);
  for (const double time : {1.0, 5.0, 3.0}) highest.Add(0, time, 1, 1);
  highest.Add(1, 2, 0, 0);
  highest.Add(1, 4, 0, 0);
  EXPECT_EQ(highest.Last(), 5);
}

TEST(Highest, OneOfManyIsTakenForTheMiddleOfWhatWasDrawn) {
  const std::vector<Program::Group> groups = {{1000, 1}};
  Highest highest(groups);
  highest.Add(0, 1, 0.01, 0.0001);
  EXPECT_NEAR(highest.Last(), 1 + 0.1 * ExpectedHighest(1000, -0.3), 1e-12);
}

}  // namespace
}  // namespace ranksight::online_model
