// Forecasts of programs that are otherwise than the runs, against times known
// in closed form and against walks of programs that are so from the start.
#include "online_model/api/what_if.h"

#include <gtest/gtest.h>

#include <vector>

#include "bgq_support/api/network.h"
#include "online_model/api/joined.h"
#include "tests/unit/online_model/compiled_run.h"
#include "tests/unit/online_model/grid_run.h"
#include "tests/unit/online_model/pipeline_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Trace;
using testing::GridRun;
using testing::Pipeline;

Pipeline Of(int64_t ranks) {
  Pipeline p;
  p.ranks = ranks;
  p.steps = 20;
  return p;
}

// A network without switches in between: any number of nodes on one.
std::shared_ptr<const Links> OneSwitch(int64_t nodes) {
  std::string reason;
  const auto network = bgq_support::Network::Parse(
      "fat-tree:" + std::to_string(nodes) + "x1:1x1", &reason);
  EXPECT_TRUE(network) << reason;
  const auto places = PlaceInOrder(*network, nodes, 1, &reason);
  return NetworkLinks(*network, *places);
}

class WhatIfForecast : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const int64_t ranks : {4, 8, 16}) {
      inputs_.push_back(PipelineRun(Of(ranks)));
      ASSERT_TRUE(forecaster_.AddRun(inputs_.back()).ok());
    }
  }
  reduction::Result<std::vector<Forecast>> If(
      const std::vector<WhatIf>& what_ifs, const WalkOptions& options = {}) {
    const int64_t ranks = 32;
    return ForecastsIf(forecaster_, inputs_, {&ranks, 1}, options, what_ifs);
  }
  ForecastPoint PointIf(const WhatIf& what_if,
                        const WalkOptions& options = {}) {
    const auto made = If({what_if}, options);
    EXPECT_TRUE(made.ok()) << made.status().message();
    return made.ok() ? made->front().points.front() : ForecastPoint();
  }
  std::vector<Trace> inputs_;
  Forecaster forecaster_;
};

TEST_F(WhatIfForecast, TellsHowMuchIsDone) {
  WalkOptions options;
  std::vector<double> told;
  options.tell_share = [&told](double share) { told.push_back(share); };
  WhatIf faster;
  faster.compute_scale = 0.5;
  const int64_t ranks[] = {32, 96};
  ASSERT_TRUE(ForecastsIf(forecaster_, inputs_, ranks, options,
                          std::vector<WhatIf>{WhatIf(), faster})
                  .ok());
  EXPECT_EQ(told, (std::vector<double>{0.125, 0.5, 0.625, 1}));
}

TEST_F(WhatIfForecast, FasterComputationTakesWhatTheFormulaSays) {
  for (const double factor : {0.25, 0.5, 3.0}) {
    WhatIf what_if;
    what_if.compute_scale = factor;
    const ForecastPoint p = PointIf(what_if);
    ASSERT_FALSE(p.refused) << p.reason;
    Pipeline truth = Of(32);
    truth.compute *= factor;
    EXPECT_NEAR(p.seconds / PipelineSeconds(truth), 1, 0.05) << factor;
  }
}

TEST_F(WhatIfForecast, ASiteThatIsFasterLeavesTheOthersAsTheyAre) {
  // The last rank alone computes before the call at the other site, so that it
  // takes all its steps behind its first message.
  const Trace& run = inputs_.front();
  WhatIf what_if;
  reduction::ForEachEvent(run.root, [&](const reduction::Node& node) {
    if (node.call == reduction::Call::MPI_Send_) {
      what_if.site_scales = {{ToString(run.sites, node.site), 0.5}};
    }
  });
  const ForecastPoint p = PointIf(what_if);
  ASSERT_FALSE(p.refused) << p.reason;
  const Pipeline o = Of(32);
  const double truth = double(o.ranks - 1) * (o.compute / 2 + o.message) +
                       double(o.steps - 1) * o.compute;
  EXPECT_NEAR(p.seconds / truth, 1, 0.05);
}

TEST_F(WhatIfForecast, AllSitesTogetherAreAllComputation) {
  WhatIf all, sites;
  all.compute_scale = 0.5;
  sites.site_scales = {{"app", 0.5}};
  EXPECT_EQ(PointIf(all).seconds, PointIf(sites).seconds);
  EXPECT_EQ(PointIf(all).high, PointIf(sites).high);
}

TEST_F(WhatIfForecast, NoSuchSiteIsRefused) {
  WhatIf what_if;
  what_if.site_scales = {{"app", 2}, {"nowhere", 2}};
  EXPECT_EQ(If({what_if}).status().code(), reduction::StatusCode::kUsage);
}

TEST_F(WhatIfForecast, OneCaseLeavesNothingInTheNext) {
  WhatIf slower;
  slower.compute_scale = 2;
  slower.bytes_scale = 3;
  const auto made = If({WhatIf(), slower, WhatIf()});
  ASSERT_TRUE(made.ok()) << made.status().message();
  const int64_t ranks = 32;
  const Forecast as_is = JoinedForecast(forecaster_, inputs_, {&ranks, 1});
  EXPECT_EQ(ToJson((*made)[0]), ToJson(as_is));
  EXPECT_EQ(ToJson((*made)[2]), ToJson(as_is));
  EXPECT_EQ((*made)[1].what_if, "computation x2, messages x3");
}

TEST_F(WhatIfForecast, AnotherNetworkNeedsThatOfTheRuns) {
  WhatIf what_if;
  what_if.links = OneSwitch(32);
  EXPECT_EQ(If({what_if}).status().code(), reduction::StatusCode::kUsage);
  WalkOptions options;
  options.links = OneSwitch(32);
  EXPECT_TRUE(If({what_if}, options).ok());
}

TEST_F(WhatIfForecast, TheSameNetworkAsAnotherOneChangesNothing) {
  WalkOptions options;
  options.links = OneSwitch(32);
  WhatIf what_if;
  what_if.links = OneSwitch(32);
  EXPECT_EQ(PointIf(what_if, options).seconds, PointIf({}, options).seconds);
}

TEST_F(WhatIfForecast, ANetworkByNameHasItsLatencyOverASwitch) {
  WalkOptions options;
  options.network.emplace();
  options.network->name = "its";
  options.network->latency = Of(2).message;
  WhatIf what_if;
  what_if.links = OneSwitch(32);
  const double alone = PointIf({}, options).seconds;
  EXPECT_NEAR(alone / PipelineSeconds(Of(32)), 1, 0.05);
  EXPECT_NEAR(PointIf(what_if, options).seconds / alone, 1, 1e-9);
}

TEST_F(WhatIfForecast, TooFewPlacesOnAnotherNetworkAreRefused) {
  WalkOptions options;
  options.links = OneSwitch(32);
  WhatIf what_if;
  what_if.links = OneSwitch(16);
  const ForecastPoint p = PointIf(what_if, options);
  EXPECT_TRUE(p.refused);
  EXPECT_FALSE(p.HasFigure());
  EXPECT_NE(p.reason.find("no places for 32 ranks"), std::string::npos);
}

TEST(WhatIfWalk, LongerMessagesAreThoseOfAProgramThatHasThem) {
  GridRun shorter, longer;
  shorter.barrier = longer.barrier = true;
  shorter.in_turn = longer.in_turn = true;
  longer.bytes = 8 * shorter.bytes;
  Network network;
  network.latency = 1e-6;
  network.byte = network.gap = 1e-9;
  network.eager_limit = 4000;
  network.stage.fill(1);
  network.volume.fill(1);
  const auto walk = [](const GridRun& run, const Network& n) {
    const auto c = testing::CompileRun(MadeGridRun(run));
    const auto walked = Walk(c.program, c.costs.At(16), n);
    EXPECT_TRUE(walked.ok()) << walked.status().message();
    return walked.ok() ? walked->seconds : 0;
  };
  const double as_is = walk(longer, network);
  EXPECT_NE(as_is, walk(shorter, network));
  network.bytes_scale = 8;
  EXPECT_EQ(walk(shorter, network), as_is);
}

}  // namespace
}  // namespace ranksight::online_model
