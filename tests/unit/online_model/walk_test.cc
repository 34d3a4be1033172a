#include "online_model/walk/walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "online_model/api/extrapolate.h"
#include "online_model/api/joined.h"
#include "reduction/api/distribution.h"
#include "reduction/api/losses.h"
#include "tests/unit/online_model/compiled_run.h"
#include "tests/unit/online_model/pipeline_run.h"
#include "tests/unit/online_model/sweep_run.h"

namespace ranksight::online_model {
namespace {

using testing::Compiled;
using testing::CompileRun;
using testing::Pipeline;
using testing::PipelineRun;
using testing::PipelineSeconds;

Network NetworkOf(double latency) {
  Network n;
  n.latency = latency;
  n.eager_limit = 1e9;
  return n;
}

TEST(Walk, APipelineTakesWhatTheFormulaSays) {
  for (const int64_t ranks : {2, 3, 8}) {
    Pipeline p;
    p.ranks = ranks;
    p.steps = 1;
    const Compiled c = CompileRun(PipelineRun(p));
    const auto walked =
        Walk(c.program, c.costs.At(ranks), NetworkOf(p.message));
    ASSERT_TRUE(walked.ok()) << walked.status().message();
    EXPECT_NEAR(walked->seconds, PipelineSeconds(p), 1e-8) << ranks;
  }
}

TEST(Walk, LongMessagesHoldTheirSenderUntilTheyAreReceived) {
  Pipeline p;
  p.ranks = 2;
  p.steps = 1;
  const Compiled c = CompileRun(PipelineRun(p));
  Network network = NetworkOf(p.message);
  const auto eager = Walk(c.program, c.costs.At(2), network);
  network.eager_limit = 0;
  const auto waits = Walk(c.program, c.costs.At(2), network);
  ASSERT_TRUE(eager.ok() && waits.ok());
  double eager_calls = 0, waiting_calls = 0;
  for (const double s : eager->in_call) eager_calls += s;
  for (const double s : waits->in_call) waiting_calls += s;
  // The receiver waits either way; the sender only for a long message.
  EXPECT_NEAR(waiting_calls - eager_calls, p.message, 1e-9);
}

// The last rank computes before it receives, and a message that leaves only
// then is there as much later.
TEST(Walk, MessagesThatAreAskedForLeaveNoSoonerThanTheirReceive) {
  Pipeline p;
  p.ranks = 2;
  p.steps = 2;
  const Compiled c = CompileRun(PipelineRun(p));
  Network network = NetworkOf(p.message);
  const auto pushed = Walk(c.program, c.costs.At(2), network);
  network.pulled = true;
  const auto pulled = Walk(c.program, c.costs.At(2), network);
  ASSERT_TRUE(pushed.ok() && pulled.ok());
  // The second message leaves when the first is computed with, not when it is
  // sent; both ranks compute alike, so that it has been sent for `message`.
  EXPECT_NEAR(pulled->seconds - pushed->seconds, p.message, 1e-9);
}

// A call that is missing from the table of forms would be walked as if its
// members did not wait for one another.
// Inner ranks compute nearly nothing before a call and those at the ends a
// thousand times as much, but for the first time, before which all set up.
TEST(Walk, FirstOccurrencesDifferByWhatFirstOnesDo) {
  constexpr int64_t kRanks = 16;
  constexpr int kSteps = 50;
  constexpr double kSetUp = 2e-3, kEnd = 5e-6, kInner = 5e-9;
  double truth = 0;
  const reduction::Trace run =
      testing::MadeRun("ends", kRanks, [&](int64_t rank) {
        testing::MadeRank made;
        const bool end = rank == 0 || rank + 1 == kRanks;
        for (int i = 0; i < kSteps; ++i) {
          made.Barrier(2, i == 0 ? kSetUp : end ? kEnd : kInner, 1e-9);
        }
        truth = kSetUp + (kSteps - 1) * kEnd;
        return made.End(rank, kRanks, truth);
      });
  const Compiled c = CompileRun(run);
  const auto walked = Walk(c.program, c.costs.At(kRanks), NetworkOf(0));
  ASSERT_TRUE(walked.ok()) << walked.status().message();
  EXPECT_NEAR(walked->seconds / truth, 1, 0.1);
}

// What first occurrences themselves differ by counts: the last to have set up
// holds up all.
TEST(Walk, TheLastOfFirstOccurrencesIsWaitedFor) {
  constexpr int64_t kRanks = 16;
  const reduction::Trace run =
      testing::MadeRun("late", kRanks, [&](int64_t rank) {
        testing::MadeRank made;
        for (int i = 0; i < 20; ++i) {
          made.Barrier(2, i > 0 ? 1e-4 : rank == 3 ? 5e-3 : 1e-3, 1e-9);
        }
        return made.End(rank, kRanks, 5e-3 + 19e-4);
      });
  const Compiled c = CompileRun(run);
  const auto walked = Walk(c.program, c.costs.At(kRanks), NetworkOf(0));
  ASSERT_TRUE(walked.ok()) << walked.status().message();
  EXPECT_NEAR(walked->seconds / (5e-3 + 19e-4), 1, 0.1);
}

// Ranks give rank 0 a byte in each step, which computes as long as `root`, the
// others as long as `others`.
double GathersSeconds(double root, double others, const Network& network) {
  constexpr int64_t kRanks = 4;
  constexpr int kSteps = 10;
  const reduction::Trace run =
      testing::MadeRun("gathers", kRanks, [&](int64_t rank) {
        testing::MadeRank made;
        for (int i = 0; i < kSteps; ++i) {
          made.GatherByte(2, rank == 0, rank == 0 ? root : others, 1e-9);
        }
        return made.End(rank, kRanks, 1);
      });
  const Compiled c = CompileRun(run);
  const auto walked = Walk(c.program, c.costs.At(kRanks), network);
  EXPECT_TRUE(walked.ok()) << walked.status().message();
  return walked.ok() ? walked->seconds : 0;
}

TEST(Walk, ShortMessagesToARootHoldNobody) {
  constexpr double kLatency = 1e-3, kSlow = 1e-4, kFast = 1e-6;
  Network network = NetworkOf(kLatency);
  network.stage.fill(1);
  constexpr int kStages = 2, kSteps = 10;
  // The others send in turn; the last of what they send is under way once.
  EXPECT_NEAR(GathersSeconds(kFast, kSlow, network),
              kSteps * kSlow + kStages * kLatency, 0.1 * kSlow);
  // What the root takes later is there already, but for the first.
  EXPECT_NEAR(GathersSeconds(kLatency, kFast, network),
              kStages * kLatency + (kSteps - 1) * kLatency, 2 * kLatency);
  network.eager_limit = 0;
  EXPECT_GT(GathersSeconds(kFast, kSlow, network), kSteps * (kSlow + kLatency));
}

// On 4, 8 and 16 ranks.
std::vector<reduction::Trace> PipelineRuns() {
  std::vector<reduction::Trace> runs;
  for (const int64_t ranks : {4, 8, 16}) {
    Pipeline p;
    p.ranks = ranks;
    runs.push_back(PipelineRun(p));
  }
  return runs;
}

TEST(JoinedForecast, AWalkThatMissesItsRunsIsNotReliedOn) {
  std::vector<reduction::Trace> inputs = PipelineRuns();
  // By one and a half what its parts say: a stop that no rank recorded.
  inputs[1].meta.elapsed.Scale(1.5);
  Forecaster forecaster;
  for (const auto& run : inputs) ASSERT_TRUE(forecaster.AddRun(run).ok());
  const int64_t asked[] = {32};
  const Forecast f = JoinedForecast(forecaster, inputs, asked);
  EXPECT_FALSE(f.points[0].walked);
  EXPECT_NE(f.points[0].basis.find("a walk of the run on "), std::string::npos)
      << f.points[0].basis;
}

TEST(JoinedForecast, OnceTheTimeIsOverLawsAreAddedUp) {
  const std::vector<reduction::Trace> inputs = PipelineRuns();
  Forecaster forecaster;
  for (const auto& run : inputs) ASSERT_TRUE(forecaster.AddRun(run).ok());
  const int64_t asked[] = {32};
  WalkOptions options;
  options.limit_seconds = 1e-9;
  const Forecast cut = JoinedForecast(forecaster, inputs, asked, options);
  EXPECT_FALSE(cut.points[0].walked);
  EXPECT_EQ(cut.points[0].basis,
            "laws added up: the time limit of 1e-09 s is over");
  EXPECT_EQ(cut.points[0].seconds, forecaster.At(asked).points[0].seconds);
  options.limit_seconds = 1e6;
  EXPECT_TRUE(
      JoinedForecast(forecaster, inputs, asked, options).points[0].walked);
}

TEST(Walk, EveryCollectiveIsOne) {
  for (const reduction::CallInfo& info : reduction::AllCalls()) {
    if (info.family != reduction::Family::kCollective) continue;
    const auto rank = [&](int64_t r) {
      testing::MadeRank made;
      made.Collective(info.call, 2, 0, 0);
      return made.End(r, 2, 0);
    };
    const Compiled c = CompileRun(testing::MadeRun("collective", 2, rank));
    EXPECT_EQ(
        std::ranges::count(c.program.operations, Operation::Kind::kCollective,
                           &Operation::kind),
        2)
        << info.name << " has no form in online_model/walk/program.cc";
  }
}

TEST(Walk, RanksThatWaitForEachOtherAreRefused) {
  Pipeline p;
  p.ranks = 3;
  Compiled c = CompileRun(PipelineRun(p));
  for (Operation& op : c.program.operations) {
    if (op.kind == Operation::Kind::kSend) op.kind = Operation::Kind::kLocal;
  }
  EXPECT_FALSE(Walk(c.program, c.costs.At(3), NetworkOf(1e-6)).ok());
}

struct Pipelines {
  std::vector<reduction::Trace> inputs;
  Forecaster forecaster;
};

void MakePipelines(Pipelines* out) {
  for (const int64_t ranks : {4, 8, 16, 32}) {
    Pipeline p;
    p.ranks = ranks;
    p.steps = 20;
    p.compute = 0.08 / double(ranks);
    out->inputs.push_back(PipelineRun(p));
    ASSERT_TRUE(out->forecaster.AddRun(out->inputs.back()).ok());
  }
}

// What neither a law of the whole nor a sum of mean times can know: at many
// ranks the pipeline is filling most of the time.
TEST(JoinedForecast, APipelineBeyondItsMeasuredSizes) {
  Pipelines runs;
  MakePipelines(&runs);
  Pipeline truth;
  truth.ranks = 256;
  truth.steps = 20;
  truth.compute = 0.08 / 256;
  const int64_t asked[] = {256};
  const ForecastPoint p =
      JoinedForecast(runs.forecaster, runs.inputs, asked).points[0];
  ASSERT_FALSE(p.refused) << p.reason;
  EXPECT_EQ(p.basis.rfind("walked", 0), 0u) << p.basis;
  EXPECT_NEAR(p.seconds / PipelineSeconds(truth), 1, 0.05);
  EXPECT_LE(p.low, PipelineSeconds(truth));
  EXPECT_GE(p.high, PipelineSeconds(truth));
}

// What a rank computes stands before another call at each edge, and some of
// these places only the larger grids have.
TEST(JoinedForecast, AWavefrontBeyondItsMeasuredGrids) {
  const auto grid = [](int64_t columns, int64_t rows) {
    testing::Sweep s;
    s.columns = columns;
    s.rows = rows;
    s.compute = 0.04 / double(columns * rows);
    return s;
  };
  Forecaster laws;
  std::vector<reduction::Trace> runs;
  for (const auto& [columns, rows] :
       {std::pair{2, 2}, {2, 4}, {4, 4}, {4, 8}}) {
    runs.push_back(testing::SweepRun(grid(columns, rows)));
    ASSERT_TRUE(laws.AddRun(runs.back()).ok());
  }
  const std::vector<int64_t> asked = {64, 128};
  const Forecast f = JoinedForecast(laws, runs, asked);
  const double truths[] = {testing::SweepSeconds(grid(8, 8)),
                           testing::SweepSeconds(grid(8, 16))};
  for (size_t i = 0; i < asked.size(); ++i) {
    const ForecastPoint& p = f.points[i];
    EXPECT_EQ(p.basis.rfind("walked", 0), 0u) << p.basis;
    ASSERT_FALSE(p.refused) << p.reason;
    EXPECT_NEAR(p.seconds, truths[i], 0.03 * truths[i]) << asked[i];
    EXPECT_LE(p.low, truths[i]);
    EXPECT_GE(p.high, truths[i]);
  }
}

// Messages of a share of a whole, which all measured sizes divide.
std::vector<reduction::Trace> RunsOfShares() {
  std::vector<reduction::Trace> runs;
  for (const int64_t ranks : {4, 8, 16, 32}) {
    Pipeline p;
    p.ranks = ranks;
    p.bytes = 200000 / ranks;
    runs.push_back(PipelineRun(p));
  }
  return runs;
}

TEST(FromLaws, AShareHasAValueWhereverItIsWhole) {
  ExtrapolationRequest request;
  request.ranks = 32;
  request.symbolic = true;
  const auto laws = Extrapolate(RunsOfShares(), request);
  ASSERT_TRUE(laws.ok()) << laws.status().message();
  const auto bytes_at = [&](int64_t ranks) {
    request.ranks = ranks;
    const auto made = FromLaws(laws->trace, request);
    if (!made.ok()) return int64_t{-1};
    const Compiled c = CompileRun(made->trace);
    double bytes = 0;
    for (const Operation& op : c.program.operations) {
      bytes = std::max(bytes, op.bytes);
    }
    return int64_t(bytes);
  };
  EXPECT_EQ(bytes_at(64), 200000 / 64);
  EXPECT_EQ(bytes_at(128), -1);
}

// A rank by itself waits for nobody, whatever the call takes among several.
TEST(JoinedForecast, OneRankTakesWhatOneRankTook) {
  constexpr int kSteps = 100;
  const std::map<int64_t, double> inside = {{1, 1e-6}, {2, 5e-4}, {4, 1e-3}};
  std::vector<reduction::Trace> inputs;
  Forecaster forecaster;
  for (const auto& [ranks, seconds] : inside) {
    inputs.push_back(testing::MadeRun("barriers", ranks, [&](int64_t rank) {
      testing::MadeRank made;
      for (int i = 0; i < kSteps; ++i) made.Barrier(2, 1e-5, seconds);
      return made.End(rank, ranks, kSteps * (1e-5 + seconds));
    }));
    ASSERT_TRUE(forecaster.AddRun(inputs.back()).ok());
  }
  const int64_t asked[] = {1};
  const ForecastPoint p = JoinedForecast(forecaster, inputs, asked).points[0];
  ASSERT_TRUE(p.walked) << p.basis;
  EXPECT_LE(p.low, kSteps * 1.1e-5);
  EXPECT_GE(p.high, kSteps * 1.1e-5);
  EXPECT_LT(p.seconds, kSteps * 2e-5);
}

TEST(JoinedForecast, OneAfterTheOtherIsTheSame) {
  std::vector<reduction::Trace> inputs;
  Forecaster forecaster;
  for (const int64_t ranks : {4, 8, 16, 32}) {
    Pipeline p;
    p.ranks = ranks;
    inputs.push_back(PipelineRun(p));
    ASSERT_TRUE(forecaster.AddRun(inputs.back()).ok());
  }
  const int64_t asked[] = {16, 64, 128};
  const Forecast together = JoinedForecast(forecaster, inputs, asked);
  Forecast laws = forecaster.At(asked);
  JoinedForecaster one(inputs);
  for (size_t i = 0; i < laws.points.size(); ++i) {
    one.Walk(laws, {}, &laws.points[i]);
    EXPECT_TRUE(laws.points[i].walked);
  }
  SetMeasured(one.Measured(), &laws);
  StateGain(&laws);
  EXPECT_EQ(ToJson(laws), ToJson(together));
}

TEST(JoinedForecast, BeyondSixtyFourTimesTheLargestRunNoWalkIsReliedOn) {
  Pipelines p;
  MakePipelines(&p);
  const int64_t asked[] = {64 * 32, 64 * 32 + 1};
  const Forecast f = JoinedForecast(p.forecaster, p.inputs, asked);
  EXPECT_TRUE(f.points[0].walked) << f.points[0].basis;
  EXPECT_TRUE(f.points[1].walked);
  EXPECT_NEAR(f.points[1].seconds / f.points[0].seconds, 1, 0.01);
  EXPECT_TRUE(f.points[1].refused);
  EXPECT_NE(f.points[1].reason.find("more than 64 times"), std::string::npos)
      << f.points[1].reason;
}

TEST(JoinedForecast, AWalkThatIsStoppedLeavesTheLawsAndTheReason) {
  Pipelines p;
  MakePipelines(&p);
  const int64_t asked[] = {64 * 32};
  Forecast laws = p.forecaster.At(asked);
  int questions = 0;
  JoinedForecaster(p.inputs).Walk(
      laws,
      [&] {
        return ++questions < 3 ? reduction::Status::Ok()
                               : reduction::Status::No("enough");
      },
      &laws.points[0]);
  EXPECT_EQ(questions, 3);
  EXPECT_FALSE(laws.points[0].walked);
  EXPECT_EQ(laws.points[0].basis, "laws added up: enough");
}

// Halfway through a run that takes twice as long as walked.
TEST(JoinedForecast, ARunUnderWayMovesWhatWasWalkedAsFarAsItIsSeen) {
  ForecastPoint point;
  point.ranks = 100;
  point.seconds = 1;
  point.low = 0.9;
  point.high = 1.1;
  point.efficiency = 0.5;
  const auto walked = [](int64_t ranks) { return ranks == 64 ? 2.0 : 0.0; };
  RunUnderWay run;
  run.ranks = 64;
  run.used = true;
  run.share_seen = 0.5;
  run.seconds = 4;
  ForecastPoint moved = point;
  MoveByRunsUnderWay({run}, walked, &moved);
  EXPECT_NEAR(moved.seconds, std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(moved.efficiency, 0.5 / std::sqrt(2.0), 1e-9);
  EXPECT_LT(moved.low, 1);  // in doubt until it ends
  EXPECT_GT(moved.high, 2);
  EXPECT_NE(moved.basis.find("provisional"), std::string::npos);
  run.used = false;
  moved = point;
  MoveByRunsUnderWay({run}, walked, &moved);
  EXPECT_EQ(moved.seconds, 1);
  run.used = true;
  run.ranks = 32;  // not walked
  MoveByRunsUnderWay({run}, walked, &moved);
  EXPECT_EQ(moved.seconds, 1);
}

// From 64 ranks to 1,024 are four doublings, from 256 two: half the width.
TEST(JoinedForecast, SaysWhatARunDoesForTheWalksInterval) {
  Forecast f;
  f.measured = {16, 32, 64};
  f.next_run = 256;
  f.next_run_reason = "by laws";
  ForecastPoint near, far;
  near.ranks = 128;
  near.walked = far.walked = true;
  near.seconds = far.seconds = 2;
  near.low = near.high = 2;
  far.ranks = 1024;
  far.low = 1.2;
  far.high = 2.8;
  f.points = {near, far};
  StateGain(&f);
  EXPECT_EQ(f.next_run_reason,
            "it would narrow the interval at 1024 ranks from about ±40 % to "
            "±20 %");
  f.points[1].high = 10;
  StateGain(&f);
  EXPECT_EQ(f.next_run_reason,
            "it would narrow the interval at 1024 ranks, which would stay "
            "wider than the forecast");
  f.points[1].high = 2.8;
  f.next_run_reason = "by laws";
  f.points[1].walked = false;
  StateGain(&f);
  EXPECT_EQ(f.next_run_reason, "by laws");
  f.points[1].walked = true;
  f.next_run = 64;  // again
  StateGain(&f);
  EXPECT_EQ(f.next_run_reason,
            "it would test the models nearest to 1024 ranks");
}

// Of a machine that takes twice as long for everything a forecast is twice as
// long; of one that only computes faster the messages stay.
TEST(JoinedForecast, OfAnotherMachineScalesByWhatItTakes) {
  const auto pipeline = [](int64_t ranks, double factor) {
    Pipeline p;
    p.ranks = ranks;
    p.steps = 20;
    p.compute = factor * 0.08 / double(ranks);
    return p;
  };
  std::vector<reduction::Trace> inputs;
  Forecaster forecaster;
  for (const int64_t ranks : {4, 8, 16, 32}) {
    inputs.push_back(PipelineRun(pipeline(ranks, 1)));
    ASSERT_TRUE(forecaster.AddRun(inputs.back()).ok());
  }
  const int64_t asked[] = {4, 256};
  const auto on = [&](const std::optional<MachineRatios>& machine) {
    return JoinedForecast(forecaster, inputs, asked, {machine, {}}).points;
  };
  const auto here = on(std::nullopt), same = on(MachineRatios());
  MachineRatios twice;
  twice.compute = 2;
  twice.messages = {{0, 2}};
  const auto slow = on(twice);
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_FALSE(slow[i].refused) << slow[i].reason;
    EXPECT_EQ(same[i].seconds, here[i].seconds);
    EXPECT_NEAR(slow[i].seconds / here[i].seconds, 2, 1e-9);
    EXPECT_NEAR(slow[i].high / here[i].high, 2, 1e-3);
    EXPECT_NEAR(slow[i].compute_share, here[i].compute_share, 1e-9);
  }
  EXPECT_NEAR(slow[1].efficiency, here[1].efficiency, 0.02);
  MachineRatios half;
  half.compute = 0.5;
  const Pipeline truth = pipeline(256, 0.5);
  EXPECT_NEAR(on(half)[1].seconds / PipelineSeconds(truth), 1, 0.08);
}

// At 64 and 128 ranks, from runs whose messages have lengths without a law that
// the largest has by far the longest of, so that no twin is drawn either.
Forecast OfLawlessRuns(const WalkOptions& options) {
  std::vector<reduction::Trace> inputs;
  Forecaster forecaster;
  for (const int64_t ranks : {4, 8, 16}) {
    Pipeline p;
    p.ranks = ranks;
    p.bytes = ranks == 16 ? 100'000 : 1000 + ranks % 3;
    inputs.push_back(PipelineRun(p));
    EXPECT_TRUE(forecaster.AddRun(inputs.back()).ok());
  }
  const int64_t asked[] = {64, 128};
  return JoinedForecast(forecaster, inputs, asked, options);
}

TEST(JoinedForecast, WithoutAStructureThereIsNoForecastOfAnotherMachine) {
  const Forecast f = OfLawlessRuns({MachineRatios(), {}});
  EXPECT_TRUE(f.points[0].refused);
  EXPECT_NE(f.points[0].reason.find("needs a walk"), std::string::npos);
}

TEST(JoinedForecast, WithoutAStructureTheLawsAreAddedUpAndTheReasonIsGiven) {
  const Forecast f = OfLawlessRuns({});
  for (const ForecastPoint& p : f.points) {
    EXPECT_EQ(p.basis.rfind("laws added up: ", 0), 0u) << p.basis;
  }
  // From 4 to 16 ranks is a factor of 4.
  EXPECT_FALSE(f.points[0].refused) << f.points[0].reason;
  EXPECT_TRUE(f.points[1].refused);
  EXPECT_NE(f.points[1].reason.find("64 at most"), std::string::npos)
      << f.points[1].reason;
}

}  // namespace
}  // namespace ranksight::online_model
