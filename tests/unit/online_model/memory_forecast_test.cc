#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "online_model/api/memory.h"

namespace ranksight::online_model {
namespace {

constexpr double kKib = 1024, kMib = kKib * 1024, kGib = kMib * 1024;

// share / N + each + a_rank N.
struct Formula {
  double share, each, a_rank;
  double At(double ranks) const {
    return share / ranks + each + a_rank * ranks;
  }
};

// What resident memory is off by.
using Noise = std::mt19937;

reduction::Trace RunOf(const Formula& formula, int64_t ranks, Noise* noise) {
  reduction::Trace run;
  run.meta.ranks = ranks;
  run.meta.host_ranks = ranks;
  std::uniform_real_distribution<double> step(-128 * kKib, 128 * kKib);
  for (int64_t r = 0; r < ranks; ++r) {
    const double off = noise == nullptr ? 0 : step(*noise);
    run.meta.memory.peak.Add(formula.At(double(ranks)) + off);
    run.meta.memory.files.Add(4 * kMib);
  }
  return run;
}

std::vector<reduction::Trace> RunsOf(const Formula& formula, Noise* noise) {
  std::vector<reduction::Trace> runs;
  for (const int64_t n : {4, 8, 16, 32}) {
    runs.push_back(RunOf(formula, n, noise));
  }
  return runs;
}

TEST(MemoryForecast, TermsAreToldApart) {
  const Formula formula = {512 * kMib, 20 * kMib, 512 * kKib};
  const auto f = ForecastMemory(RunsOf(formula, nullptr), {{128, 1024}}, {});
  ASSERT_TRUE(f);
  EXPECT_EQ(f->law, "512 MiB / N + 20.0 MiB + 512 KiB N");
  const MemoryPoint& p = f->points[1];
  EXPECT_FALSE(p.refused) << p.reason;
  EXPECT_NEAR(p.bytes, formula.At(1024), 1e-3 * formula.At(1024));
  EXPECT_NEAR(p.growing, 512 * kMib, kMib);
  EXPECT_NEAR(p.kept, 20 * kMib, kMib);
}

// Nine in ten of what is answered, over formulas drawn at random.
TEST(MemoryForecast, IntervalsHold) {
  Noise noise(7);
  std::uniform_real_distribution<double> log_share(std::log(kMib),
                                                   std::log(8 * kGib)),
      log_each(std::log(kMib), std::log(256 * kMib)),
      log_a_rank(std::log(kKib), std::log(kMib));
  int answered = 0, held = 0;
  for (int i = 0; i < 300; ++i) {
    const Formula formula = {std::exp(log_share(noise)),
                             std::exp(log_each(noise)),
                             i % 2 == 0 ? 0 : std::exp(log_a_rank(noise))};
    const auto f = ForecastMemory(RunsOf(formula, &noise), {{128, 512}}, {});
    ASSERT_TRUE(f);
    for (const MemoryPoint& p : f->points) {
      if (p.refused) continue;
      ++answered;
      const double truth = formula.At(double(p.ranks));
      if (p.low <= truth && truth <= p.high) ++held;
    }
  }
  EXPECT_GT(answered, 300);
  EXPECT_GE(held, 0.9 * answered);
}

// What is within the steps that kernels count in may be much at many ranks.
TEST(MemoryForecast, WhatCannotBeToldIsRefused) {
  Noise noise(3);
  const auto runs = RunsOf({0, 3 * kMib, 0}, &noise);
  const auto f = ForecastMemory(runs, {{64, 2048}}, {});
  ASSERT_TRUE(f);
  EXPECT_FALSE(f->points[0].refused) << f->points[0].reason;
  EXPECT_TRUE(f->points[1].refused);
}

TEST(MemoryForecast, BeyondSixtyFourTimesIsRefused) {
  const auto f = ForecastMemory(RunsOf({64 * kMib, 4 * kGib, 0}, nullptr),
                                {{2048, 2049}}, {});
  ASSERT_TRUE(f);
  EXPECT_FALSE(f->points[0].refused) << f->points[0].reason;
  EXPECT_TRUE(f->points[1].refused);
}

// 4 GiB in all, 100 MiB a rank: on nodes of 16 ranks with 2.5 GiB, of which
// 4 MiB are files, once, 16 (4096 / N + 96) + 4 <= 2560 from 65 ranks on.
TEST(MemoryForecast, TheFewestNodesHoldIt) {
  const auto runs = RunsOf({4 * kGib, 100 * kMib, 0}, nullptr);
  const auto f = ForecastMemory(runs, {{32, 256}}, {2.5 * kGib, 16});
  ASSERT_TRUE(f);
  EXPECT_EQ(f->fewest_nodes, 5);
  // Ranks of 32 hold 228 MiB each: eleven fit on a node.
  EXPECT_EQ(f->points[0].ranks_that_fit, 11);
  EXPECT_EQ(f->points[0].nodes, 3);
  EXPECT_EQ(f->points[1].ranks_that_fit, 16);
  EXPECT_EQ(f->points[1].nodes, 16);
  EXPECT_NE(
      ToText(*f).find("fewest nodes of 16 ranks that hold it in 2.50 GiB"),
      std::string::npos);
}

TEST(MemoryForecast, RanksOnANodeAreThoseOfTheLargestRun) {
  auto runs = RunsOf({kGib, 100 * kMib, 0}, nullptr);
  runs.back().meta.launch.tasks_per_node = "24(x2),3";
  EXPECT_EQ(ForecastMemory(runs, {{64}}, {})->node.ranks_per_node, 24);
  runs.back().meta.launch.tasks_per_node = "";
  EXPECT_EQ(ForecastMemory(runs, {{64}}, {})->node.ranks_per_node, 32);
}

TEST(MemoryForecast, TracesThatDoNotSayGiveNone) {
  auto runs = RunsOf({kGib, 100 * kMib, 0}, nullptr);
  for (size_t i = 0; i < 2; ++i) runs[i].meta.memory = {};
  EXPECT_FALSE(ForecastMemory(runs, {{64}}, {}));
}

}  // namespace
}  // namespace ranksight::online_model
