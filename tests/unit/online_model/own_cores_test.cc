#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "online_model/api/joined.h"
#include "online_model/api/named_network.h"
#include "tests/unit/online_model/pipeline_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Trace;
using testing::Pipeline;
using testing::PipelineRun;
using testing::PipelineSeconds;

Pipeline Of(int64_t ranks) {
  Pipeline p;
  p.ranks = ranks;
  p.steps = 20;
  p.compute = 0.08 / double(ranks);
  p.message = 3e-4;
  return p;
}

// On which its messages take what the formula says.
NamedNetwork ItsNetwork() {
  NamedNetwork n;
  n.name = "its";
  n.latency = Of(2).message;
  return n;
}

// Its ranks shared cores: what calls and the run took is whose turn it was.
Trace CrowdedRun(int64_t ranks) {
  Trace run = PipelineRun(Of(ranks));
  run.meta.own_time = true;
  double turn = 3;
  reduction::ForEachEvent(run.root, [&](reduction::Node& event) {
    event.times.call.first.Scale(turn += double(ranks));
    event.times.call.rest.Scale(turn *= 1.7);
  });
  run.meta.elapsed.Scale(40.0 * std::sqrt(double(ranks)));
  return run;
}

double InCalls(const Trace& run) {
  double ns = 0;
  reduction::ForEachEvent(run.root, [&](const reduction::Node& event) {
    if (!BeginsRun(event.call)) ns += event.times.TotalCall();
  });
  return ns;
}

TEST(PutOnNetwork, ARunTakesWhatItWouldWithACoreForEachRank) {
  for (const int64_t ranks : {2, 3, 8}) {
    Trace run = CrowdedRun(ranks);
    const Trace truth = PipelineRun(Of(ranks));
    ASSERT_GT(run.meta.elapsed.max, 10 * truth.meta.elapsed.max);
    ASSERT_TRUE(PutOnNetwork(ItsNetwork(), &run).ok());
    EXPECT_NEAR(run.meta.elapsed.max * 1e-9, PipelineSeconds(Of(ranks)), 1e-7);
    EXPECT_NEAR(InCalls(run) / InCalls(truth), 1, 1e-2) << ranks;
  }
}

TEST(JoinedForecast, OfRanksThatSharedCoresIsOfACoreForEach) {
  Forecaster forecaster;
  std::vector<Trace> runs;
  for (const int64_t ranks : {4, 6, 8, 12}) {
    runs.push_back(CrowdedRun(ranks));
    ASSERT_TRUE(PutOnNetwork(ItsNetwork(), &runs.back()).ok());
    ASSERT_TRUE(forecaster.AddRun(runs.back()).ok());
  }
  ASSERT_TRUE(AnySharedCores(runs));
  WalkOptions options;
  options.network = ItsNetwork();
  const std::vector<int64_t> asked = {3, 64, 128};
  const Forecast f = JoinedForecast(forecaster, runs, asked, options);
  EXPECT_EQ(f.network, "its");
  EXPECT_NE(ToText(f).find("a core for each rank and the network its"),
            std::string::npos);
  for (const ForecastPoint& p : f.points) {
    const double truth = PipelineSeconds(Of(p.ranks));
    ASSERT_FALSE(p.refused) << p.reason;
    EXPECT_TRUE(p.walked) << p.basis;
    EXPECT_NEAR(p.seconds / truth, 1, 0.03) << p.ranks;
    EXPECT_LT(p.low, truth);
    EXPECT_GT(p.high, truth);
  }
}

TEST(PutOnNetwork, WhatCannotBeWalkedIsRefusedAndHasComputationAlone) {
  Trace run = CrowdedRun(3);
  // Nobody sends what it waits for.
  std::erase_if(run.root.children, [](const reduction::Node& n) {
    return n.is_event() && n.call == reduction::Call::MPI_Send_;
  });
  reduction::ForEachEvent(run.root, [](reduction::Node& event) {
    if (event.call == reduction::Call::MPI_Send_) {
      event.call = reduction::Call::MPI_Recv_;
    }
  });
  EXPECT_FALSE(PutOnNetwork(ItsNetwork(), &run).ok());
  EXPECT_LT(run.meta.elapsed.max * 1e-9, PipelineSeconds(Of(3)));
  Forecast f;
  f.points.resize(1);
  f.points[0].seconds = 1;
  RefuseUnwalked(reduction::Status::No("why"), &f);
  EXPECT_TRUE(f.points[0].refused);
  EXPECT_TRUE(f.points[0].HasFigure());
}

TEST(FindNetwork, KnowsPresetsAndRefusesOtherNames) {
  for (const NamedNetwork& preset : NetworkPresets()) {
    const auto found = FindNetwork(preset.name);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->latency, preset.latency);
    EXPECT_GT(preset.latency, preset.overhead);
    EXPECT_LT(preset.byte, 1e-8);
    EXPECT_FALSE(preset.source.empty());
  }
  ASSERT_TRUE(FindNetwork(kDefaultNetwork).ok());
  const auto none = FindNetwork("token-ring");
  EXPECT_EQ(none.status().code(), reduction::StatusCode::kUsage);
  EXPECT_NE(none.status().message().find("tofu-d"), std::string::npos);
}

}  // namespace
}  // namespace ranksight::online_model
