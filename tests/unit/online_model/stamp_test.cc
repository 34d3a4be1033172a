#include "online_model/join/stamp.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "online_model/api/joined.h"
#include "tests/unit/online_model/compiled_run.h"
#include "tests/unit/online_model/sweep_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Trace;

testing::Sweep GridOf(int64_t columns, int64_t rows) {
  testing::Sweep s;
  s.columns = columns;
  s.rows = rows;
  s.compute = 0.04 / double(columns * rows);
  return s;
}

struct Sweeps {
  Forecaster forecaster;
  std::vector<Trace> runs;
  Sweeps() {
    for (const auto& [columns, rows] :
         {std::pair{2, 2}, {2, 4}, {4, 4}, {4, 8}}) {
      runs.push_back(testing::SweepRun(GridOf(columns, rows)));
      EXPECT_TRUE(forecaster.AddRun(runs.back()).ok());
    }
  }
  Trace Made(int64_t ranks, bool symbolic = false) const {
    ExtrapolationRequest request;
    request.ranks = ranks;
    request.symbolic = symbolic;
    auto made = Extrapolate(runs, request);
    EXPECT_TRUE(made.ok()) << made.status().message();
    return made->trace;
  }
};

// Computation, ns: before each call site, of all ranks together.
std::map<std::string, double> ComputedBySite(const Trace& trace) {
  std::map<std::string, double> out;
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& n) {
    out[ToString(trace.sites, n.site)] += n.times.TotalCompute();
  });
  return out;
}

void ExpectComputes(const Trace& made, const Trace& truth) {
  const auto expected = ComputedBySite(truth);
  for (const auto& [site, ns] : ComputedBySite(made)) {
    EXPECT_NEAR(ns, expected.at(site), 0.02 * expected.at(site) + 1) << site;
  }
}

// What walking a trace with its own times takes.
double SecondsOf(const Trace& trace, double message) {
  const testing::Compiled c = testing::CompileRun(trace);
  Network network;
  network.latency = message;
  network.eager_limit = 1e9;
  const auto walked = Walk(c.program, c.costs.At(trace.meta.ranks), network);
  EXPECT_TRUE(walked.ok()) << walked.status().message();
  return walked->seconds;
}

// In a wavefront computation stands before other calls at each edge, which the
// trace of the largest input scaled as a whole does not say.
TEST(SetForecastTimes, EventsTakeWhatTheyTakeInTheWalk) {
  const Sweeps sweeps;
  const testing::Sweep truth = GridOf(8, 16);
  Trace made = sweeps.Made(128);
  SetForecastTimes(sweeps.forecaster, sweeps.runs, {}, &made);
  ExpectComputes(made, testing::SweepRun(truth));
  const int64_t asked[] = {128};
  const ForecastPoint p =
      JoinedForecast(sweeps.forecaster, sweeps.runs, asked).points[0];
  ASSERT_FALSE(p.refused) << p.reason;
  EXPECT_NEAR(SecondsOf(made, truth.message), p.seconds, 0.02 * p.seconds);
  EXPECT_DOUBLE_EQ(made.meta.elapsed.max, p.seconds * 1e9);
  ASSERT_TRUE(made.meta.forecast.has_value());
  EXPECT_DOUBLE_EQ(made.meta.forecast->low_ns, p.low * 1e9);
  EXPECT_DOUBLE_EQ(made.meta.forecast->high_ns, p.high * 1e9);
  EXPECT_EQ(made.meta.forecast->refused, "");
  EXPECT_EQ(made.meta.forecast->basis, p.basis);
}

// More than 64 times the largest run: nothing is walked.
TEST(SetForecastTimes, WhatIsNotWalkedTakesItsLawsAndSaysSo) {
  const Sweeps sweeps;
  Trace made = sweeps.Made(4096);
  SetForecastTimes(sweeps.forecaster, sweeps.runs, {}, &made);
  ASSERT_TRUE(made.meta.forecast.has_value());
  EXPECT_NE(made.meta.forecast->refused, "");
  const testing::Sweep truth = GridOf(64, 64);
  EXPECT_NEAR(SecondsOf(made, truth.message), testing::SweepSeconds(truth),
              0.03 * testing::SweepSeconds(truth));
}

TEST(SetForecastTimes, ATraceWithLawsGivesTheTimesOfTheForecast) {
  const Sweeps sweeps;
  Trace laws = sweeps.Made(32, true);
  SetForecastTimes(sweeps.forecaster, sweeps.runs, {}, &laws);
  ExtrapolationRequest request;
  request.ranks = 128;
  const auto made = FromLaws(laws, request);
  ASSERT_TRUE(made.ok()) << made.status().message();
  const testing::Sweep truth = GridOf(8, 16);
  EXPECT_NEAR(SecondsOf(made->trace, truth.message),
              testing::SweepSeconds(truth),
              0.03 * testing::SweepSeconds(truth));
  EXPECT_NEAR(made->trace.meta.elapsed.max * 1e-9, testing::SweepSeconds(truth),
              0.03 * testing::SweepSeconds(truth));
}

}  // namespace
}  // namespace ranksight::online_model
