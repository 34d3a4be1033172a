#include "online_model/walk/uneven.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "online_model/api/joined.h"
#include "tests/unit/online_model/made_run.h"

namespace ranksight::online_model {
namespace {

constexpr double kBarrier = 1e-6;
constexpr int kSteps = 20;

// Seconds that a rank computes in each step, of so many ranks.
using Work = std::function<double(int64_t rank, int64_t ranks)>;

double Slowest(const Work& work, int64_t ranks) {
  double most = 0;
  for (int64_t r = 0; r < ranks; ++r) most = std::max(most, work(r, ranks));
  return most;
}

// All wait for the slowest in each step.
double SecondsOf(const Work& work, int64_t ranks) {
  return kSteps * (Slowest(work, ranks) + kBarrier);
}

reduction::Trace RunOf(const Work& work, int64_t ranks) {
  return ranksight::testing::MadeRun("uneven", ranks, [&](int64_t rank) {
    ranksight::testing::MadeRank made;
    for (int s = 0; s < kSteps; ++s) {
      const double own = work(rank, ranks);
      made.Barrier(2, own, Slowest(work, ranks) - own + kBarrier);
    }
    return made.End(rank, ranks, SecondsOf(work, ranks));
  });
}

void ExpectMet(const Work& work, double within, int64_t smallest = 4) {
  std::vector<reduction::Trace> inputs;
  Forecaster forecaster;
  for (int64_t ranks = smallest; ranks <= 8 * smallest; ranks *= 2) {
    inputs.push_back(RunOf(work, ranks));
    ASSERT_TRUE(forecaster.AddRun(inputs.back()).ok());
  }
  const int64_t asked[] = {16 * smallest, 32 * smallest};
  for (const ForecastPoint& p :
       JoinedForecast(forecaster, inputs, asked, {}).points) {
    EXPECT_FALSE(p.refused) << p.reason;
    EXPECT_NEAR(p.seconds / SecondsOf(work, p.ranks), 1, within) << p.ranks;
  }
}

TEST(JoinedForecast, OneSlowRankHoldsUpAll) {
  ExpectMet([](int64_t r, int64_t) { return r == 0 ? 2e-3 : 1e-3; }, 0.04);
}

TEST(JoinedForecast, APartOfTheRanksWithMoreWorkHoldsUpAll) {
  ExpectMet([](int64_t r, int64_t n) { return r < n / 4 ? 2e-3 : 1e-3; }, 0.01);
}

// A triangle cut into as many rows as there are ranks.
TEST(JoinedForecast, TheLastOfARampHoldsUpAll) {
  ExpectMet([](int64_t r,
               int64_t n) { return 32e-3 * double(2 * r + 1) / double(n * n); },
            0.02);
}

// Such as a sum that one rank forms alone: little next to all work in the small
// runs, nearly half of it in the large ones.
TEST(JoinedForecast, WhatOneRankDoesAloneStaysAsItIs) {
  ExpectMet([](int64_t r,
               int64_t n) { return 32e-3 / double(n) + (r == 0 ? 0.2e-3 : 0); },
            0.06);
}

// As above, where two ranks share it, so that the smallest run shows nothing.
TEST(JoinedForecast, WhatTheSmallestRunDoesNotShowIsInTheLawOfTheOthers) {
  const auto alone = [](int64_t r, int64_t n) {
    return r == 0 && n > 2 ? 0.2e-3 : 0.0;
  };
  ExpectMet(
      [&](int64_t r, int64_t n) { return 32e-3 / double(n) + alone(r, n); },
      0.1, 2);
}

TEST(Uneven, SharesAreThoseThatMeanAndDeviationSay) {
  // A quarter of the ranks with twice the work of the others.
  const double light = 0.8, heavy = 1.6;
  const double deviation = 0.8 * std::sqrt(0.25 * 0.75);
  const Uneven two = UnevenOf(deviation, light, heavy);
  ASSERT_TRUE(two.known());
  EXPECT_NEAR(two.at_most, 0.25, 1e-12);
  EXPECT_NEAR(two.At(0.74), light, 1e-12);
  EXPECT_NEAR(two.At(0.76), heavy, 1e-12);
  const Uneven ramp = UnevenOf(1 / std::sqrt(12), 0.5, 1.5);
  ASSERT_TRUE(ramp.known());
  EXPECT_NEAR(ramp.At(0.25), 0.75, 1e-12);
}

// One of ten is far above the others, which lie on a line.
TEST(Uneven, AFewRanksMayBeFarFromAllOthers) {
  std::vector<double> work;
  for (int r = 0; r < 9; ++r) work.push_back(1 + 0.04 * r);
  work.push_back(2);
  double mean = 0, squares = 0;
  for (const double w : work) mean += w / 10;
  for (const double w : work) squares += (w - mean) * (w - mean) / 10;
  const double deviation = std::sqrt(squares) / mean;
  const Uneven above = UnevenOf(deviation, 1 / mean, 2 / mean);
  ASSERT_TRUE(above.known());
  EXPECT_NEAR(above.at_most, 0.1, 0.02);
  EXPECT_NEAR(above.At(1) * mean, 2, 1e-9);
  EXPECT_NEAR(above.At(0.5) * mean, 1.16, 0.02);
  const Uneven below = UnevenOf(deviation, 2 - 2 / mean, 2 - 1 / mean);
  ASSERT_TRUE(below.known());
  EXPECT_NEAR(below.at_least, above.at_most, 1e-9);
  EXPECT_NEAR(below.At(0.5), 2 - above.At(0.5), 1e-9);
}

TEST(Uneven, LittleCountsWhereJitterIsLess) {
  EXPECT_TRUE(UnevenOf(0.02, 0.97, 1.03, 0.001).known());
  EXPECT_FALSE(UnevenOf(0.02, 0.97, 1.03, 0.01).known());
  EXPECT_FALSE(UnevenOf(0.002, 0.997, 1.003, 0).known());
}

TEST(Uneven, JitterIsNot) {
  EXPECT_FALSE(UnevenOf(0.1, 0.7, 1.3).known());     // about the mean
  EXPECT_FALSE(UnevenOf(0.01, 0.99, 1.01).known());  // too little
  EXPECT_FALSE(UnevenOf(0, 1, 1).known());
}

TEST(Uneven, EachRankHasAPlaceOfItsOwn) {
  for (const int64_t ranks : {1, 2, 3, 6, 64, 100, 4097}) {
    std::set<int64_t> places;
    for (int64_t r = 0; r < ranks; ++r) {
      places.insert(r * StrideOf(ranks) % ranks);
    }
    EXPECT_EQ(int64_t(places.size()), ranks);
  }
}

}  // namespace
}  // namespace ranksight::online_model
