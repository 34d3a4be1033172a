#include "online_model/walk/walk.h"

#include <gtest/gtest.h>

#include "online_model/api/joined.h"
#include "online_model/join/costs.h"
#include "tests/unit/online_model/pipeline_run.h"

namespace ranksight::online_model {
namespace {

using testing::Pipeline;
using testing::PipelineRun;
using testing::PipelineSeconds;

struct Compiled {
  CostTable costs;
  Program program;
};

// The walk of a run with its own computation.
Compiled CompileRun(const reduction::Trace& trace) {
  Compiled c;
  c.costs.Add(trace);
  auto program = Compile(
      trace, uint32_t(c.costs.events()),
      [&](const reduction::Node& node) {
        return c.costs.NumberOf(trace, node);
      },
      c.costs.contexts());
  EXPECT_TRUE(program.ok()) << program.status().message();
  c.program = std::move(*program);
  c.costs.AddProgram(trace.meta.ranks, c.program);
  c.costs.Separate();
  return c;
}

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

TEST(Walk, RanksThatWaitForEachOtherAreRefused) {
  Pipeline p;
  p.ranks = 3;
  Compiled c = CompileRun(PipelineRun(p));
  for (Operation& op : c.program.operations) {
    if (op.kind == Operation::Kind::kSend) op.kind = Operation::Kind::kLocal;
  }
  EXPECT_FALSE(Walk(c.program, c.costs.At(3), NetworkOf(1e-6)).ok());
}

// What neither a law of the whole nor a sum of mean times can know: at many
// ranks the pipeline is filling most of the time.
TEST(JoinedForecast, APipelineBeyondItsMeasuredSizes) {
  std::vector<reduction::Trace> inputs;
  Forecaster forecaster;
  for (const int64_t ranks : {4, 8, 16, 32}) {
    Pipeline p;
    p.ranks = ranks;
    p.steps = 20;
    p.compute = 0.08 / double(ranks);
    inputs.push_back(PipelineRun(p));
    ASSERT_TRUE(forecaster.AddRun(inputs.back()).ok());
  }
  Pipeline truth;
  truth.ranks = 256;
  truth.steps = 20;
  truth.compute = 0.08 / 256;
  const int64_t asked[] = {256};
  const ForecastPoint p = JoinedForecast(forecaster, inputs, asked).points[0];
  ASSERT_FALSE(p.refused) << p.reason;
  EXPECT_EQ(p.basis.rfind("walked", 0), 0u) << p.basis;
  EXPECT_NEAR(p.seconds / PipelineSeconds(truth), 1, 0.05);
  EXPECT_LE(p.low, PipelineSeconds(truth));
  EXPECT_GE(p.high, PipelineSeconds(truth));
}

TEST(JoinedForecast, WithoutAStructureTheLawsAreAddedUpAndTheReasonIsGiven) {
  std::vector<reduction::Trace> inputs;
  Forecaster forecaster;
  for (const int64_t ranks : {4, 8, 16}) {
    Pipeline p;
    p.ranks = ranks;
    p.bytes = 1000 + ranks * ranks * ranks % 77;  // no law
    inputs.push_back(PipelineRun(p));
    ASSERT_TRUE(forecaster.AddRun(inputs.back()).ok());
  }
  const int64_t asked[] = {64};
  const Forecast f = JoinedForecast(forecaster, inputs, asked);
  EXPECT_EQ(f.points[0].basis.rfind("laws added up: ", 0), 0u)
      << f.points[0].basis;
}

}  // namespace
}  // namespace ranksight::online_model
