#include "online_model/api/parameter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "online_model/fit/surface.h"
#include "tests/unit/online_model/synthetic_run.h"

namespace ranksight::online_model {
namespace {

using reduction::StatusCode;
using testing::MakeTrace;
using testing::SyntheticRun;

// A square field of `size` to a side, divided into blocks: area computed, side
// sent, and a collective of all ranks.
double Computed(double n, double size) { return 2e-5 * size * size / n; }
double Sent(double n, double size) { return 3e-4 * size / std::sqrt(n) + 0.02; }
double Collective(double n) { return 0.01 * std::log2(n); }
double Truth(double n, double size) {
  return Computed(n, size) + Sent(n, size) + Collective(n);
}

reduction::Trace RunOf(int64_t ranks, double size, double factor = 1) {
  SyntheticRun run;
  run.ranks = ranks;
  const double n = double(ranks);
  run.events.push_back({reduction::Call::MPI_Barrier_, 16,
                        factor * Computed(n, size), factor * Sent(n, size)});
  run.events.push_back(
      {reduction::Call::MPI_Barrier_, 32, 0, factor * Collective(n)});
  reduction::Trace trace = MakeTrace(run);
  trace.meta.params["size"] = std::to_string(int(size));
  return trace;
}

void AddGrid(const std::vector<int64_t>& ranks,
             const std::vector<double>& sizes, ParameterForecaster* models) {
  for (const int64_t n : ranks) {
    for (const double size : sizes) {
      ASSERT_TRUE(models->AddRun(RunOf(n, size)).ok());
    }
  }
}

TEST(ParameterForecaster, FollowsLawsInBothBeyondWhatWasRun) {
  ParameterForecaster models("size");
  AddGrid({4, 9, 16}, {256, 512, 1024}, &models);
  for (const double size : {384.0, 1024.0, 4096.0}) {
    const std::vector<int64_t> asked = {9, 64, 256};
    for (const ForecastPoint& p : models.At(size, asked).points) {
      ASSERT_FALSE(p.refused) << size << ' ' << p.ranks << ' ' << p.reason;
      const double truth = Truth(double(p.ranks), size);
      EXPECT_NEAR(p.seconds, truth, 0.02 * truth) << size << ' ' << p.ranks;
      EXPECT_LE(p.low, truth);
      EXPECT_GE(p.high, truth);
      EXPECT_NEAR(p.compute_share, Computed(double(p.ranks), size) / truth,
                  0.02);
    }
  }
}

TEST(ParameterForecaster, SaysTheLawsInAlgebra) {
  ParameterForecaster models("size");
  AddGrid({4, 9, 16}, {256, 512, 1024}, &models);
  const std::vector<int64_t> asked = {64};
  const Forecast f = models.At(2048, asked);
  ASSERT_TRUE(f.over.has_value());
  EXPECT_EQ(f.over->cells.size(), 9u);
  ASSERT_EQ(f.over->laws.size(), 2u);
  EXPECT_EQ(f.over->laws[0].compute, "2e-05 size^2 / N");
  EXPECT_EQ(f.over->laws[0].in_call, "0.02 + 0.0003 size / N^0.5");
  EXPECT_EQ(f.over->laws[1].in_call, "0.01 log N");
  EXPECT_NE(ToText(f).find("2e-05 size^2 / N"), std::string::npos);
  EXPECT_NE(ToJson(f).find("\"value\": 2048.0"), std::string::npos);
}

TEST(ParameterForecaster, IntervalsHoldWithNoise) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(1, 0.02);
  int inside = 0, given = 0;
  double worst = 0;
  for (int round = 0; round < 40; ++round) {
    ParameterForecaster models("size");
    for (const int64_t n : {4, 9, 16, 25}) {
      for (const double size : {256.0, 512.0, 1024.0}) {
        for (int repeat = 0; repeat < 3; ++repeat) {
          ASSERT_TRUE(models.AddRun(RunOf(n, size, noise(random))).ok());
        }
      }
    }
    const std::vector<int64_t> asked = {100};
    const ForecastPoint p = models.At(2048, asked).points[0];
    if (p.refused) continue;
    ++given;
    const double truth = Truth(100, 2048);
    worst = std::max(worst, std::abs(p.seconds / truth - 1));
    inside += p.low <= truth && truth <= p.high ? 1 : 0;
  }
  EXPECT_GE(given, 36);
  EXPECT_GE(inside, given * 85 / 100) << given;
  EXPECT_LE(worst, 0.15);
}

TEST(ParameterForecaster, RefusesACrossAndNamesTheRunThatWouldDo) {
  ParameterForecaster models("size");
  AddGrid({4, 9, 16}, {256}, &models);
  AddGrid({4}, {512, 1024}, &models);
  const std::vector<int64_t> asked = {16};
  const Forecast f = models.At(1024, asked);
  ASSERT_TRUE(f.points[0].refused);
  EXPECT_NE(f.points[0].reason.find("same two values of size"),
            std::string::npos);
  EXPECT_EQ(f.next_run, 9);
  EXPECT_EQ(f.over->next_value, 512);
  AddGrid({9}, {512}, &models);
  EXPECT_FALSE(models.At(1024, asked).points[0].refused);
}

TEST(ParameterForecaster, RefusesTooFewSizesAndTooFar) {
  const std::vector<int64_t> asked = {64, 100000};
  ParameterForecaster models("size");
  EXPECT_TRUE(models.At(512, asked).points[0].refused);  // no run
  AddGrid({4, 9, 16}, {256, 512}, &models);
  EXPECT_NE(models.At(512, asked).points[0].reason.find("values of "),
            std::string::npos);
  AddGrid({4, 9, 16}, {1024}, &models);
  EXPECT_FALSE(models.At(512, asked).points[0].refused);
  EXPECT_TRUE(models.At(512, asked).points[1].refused);
  EXPECT_TRUE(models.At(1e6, asked).points[0].refused);
  EXPECT_TRUE(models.At(1, asked).points[0].refused);
}

TEST(ParameterForecaster, TakesNoRunThatDiffersOtherwise) {
  ParameterForecaster models("size");
  ASSERT_TRUE(models.AddRun(RunOf(4, 256)).ok());
  reduction::Trace trace = RunOf(4, 512);
  trace.meta.params["mode"] = "fast";
  EXPECT_EQ(models.AddRun(trace).code(), StatusCode::kNo);
  trace = RunOf(4, 512);
  trace.meta.params["size"] = "64x64";
  EXPECT_EQ(models.AddRun(trace).code(), StatusCode::kNo);
  trace.meta.params.clear();
  EXPECT_EQ(models.AddRun(trace).code(), StatusCode::kNo);
  trace = RunOf(4, 512);
  trace.meta.complete = false;
  EXPECT_EQ(models.AddRun(trace).code(), StatusCode::kNo);
}

TEST(Surface, OfTimesThatCannotBeIsNoTime) {
  for (const double time : {-1.0, std::nan("")}) {
    std::vector<Point> points;
    for (const double n : {2.0, 4.0, 8.0}) {
      for (const double size : {10.0, 20.0, 40.0}) {
        Point p;
        p.ranks = n;
        p.runs = 1;
        p.mean = time;
        p.parameter = size;
        points.push_back(p);
      }
    }
    EXPECT_EQ(FitSurface(points).At(16, 80).value, 0);
  }
}

}  // namespace
}  // namespace ranksight::online_model
