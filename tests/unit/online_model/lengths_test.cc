#include "online_model/walk/lengths.h"

#include <gtest/gtest.h>

#include <cmath>

#include "online_model/walk/calibrate.h"
#include "tests/unit/online_model/compiled_run.h"
#include "tests/unit/online_model/pipeline_run.h"

namespace ranksight::online_model {
namespace {

using testing::Pipeline;

// A pipeline that takes its messages' time, and little else.
Measured RunOf(int64_t ranks, int64_t bytes, double message = 1e-4) {
  Pipeline p;
  p.ranks = ranks;
  p.bytes = bytes;
  p.message = message;
  p.compute = 1e-6;
  return testing::MeasuredRun(testing::PipelineRun(p),
                              testing::PipelineSeconds(p));
}

TEST(Lengths, AreCountedInDoublingsBeyondTheShortestAndTheLongest) {
  Lengths lengths;
  lengths.Add(RunOf(4, 1000).program);
  lengths.Add(RunOf(4, 8000).program);
  EXPECT_EQ(lengths.longest(), 8000);
  EXPECT_DOUBLE_EQ(lengths.DoublingsBeyond(RunOf(8, 250).program), 2);
  EXPECT_DOUBLE_EQ(lengths.DoublingsBeyond(RunOf(8, 3000).program), 0);
  EXPECT_DOUBLE_EQ(lengths.DoublingsBeyond(RunOf(8, 16000).program), 1);
  EXPECT_DOUBLE_EQ(lengths.DoublingsBeyond(RunOf(8, 4000).program, 4), 1);
}

TEST(Lengths, NoneAreBeyondWhereNothingWasSent) {
  EXPECT_DOUBLE_EQ(Lengths().DoublingsBeyond(RunOf(4, 1000).program), 0);
}

// What the runs do not say of such messages leaves the forecast open.
TEST(Calibration, TimeOfMessagesOfLengthsNotMeasuredIsKnownLessWell) {
  const auto fitted =
      Calibration::Fit({RunOf(4, 1000), RunOf(8, 16000), RunOf(16, 60000)}, {});
  ASSERT_TRUE(fitted.ok()) << fitted.status().message();
  const auto deviation = [&](int64_t bytes) {
    const Measured run = RunOf(16, bytes);
    const auto p = fitted->Predict(run.program, run.costs, {});
    EXPECT_TRUE(p.ok()) << p.status().message();
    return p->deviation;
  };
  // All lengths take as long, so that all is latency: a fifth of that at one
  // doubling, and twice as much at four.
  EXPECT_NEAR(std::hypot(deviation(1000), 0.2), deviation(500), 0.03);
  EXPECT_NEAR(std::hypot(deviation(1000), 0.4), deviation(62), 0.05);
}

// Short messages take twice as long for each byte, as many networks do it.
TEST(Calibration, BytesOfShortMessagesHaveATimeOfTheirOwn) {
  const auto run = [](int64_t ranks, int64_t bytes) {
    const double byte = bytes > 65536 ? 1e-9 : 2e-9;
    return RunOf(ranks, bytes, 5e-6 + byte * double(bytes));
  };
  const auto fitted =
      Calibration::Fit({run(4, 2'000'000), run(8, 500'000), run(12, 125'000),
                        run(16, 60'000), run(24, 30'000)},
                       {});
  ASSERT_TRUE(fitted.ok()) << fitted.status().message();
  const Measured asked = run(16, 40'000);
  const auto p = fitted->Predict(asked.program, asked.costs, {});
  ASSERT_TRUE(p.ok()) << p.status().message();
  EXPECT_NEAR(p->seconds / asked.seconds, 1, 0.05);
}

// Each size run twice, once that much too long and once too short, which no
// network meets.
double DeviationWith(double error) {
  std::vector<Measured> runs;
  for (const int64_t ranks : {4, 8, 16}) {
    for (const double sign : {-1.0, 1.0}) {
      runs.push_back(RunOf(ranks, 1000));
      runs.back().seconds *= 1 + sign * error;
    }
  }
  const auto fitted = Calibration::Fit(runs);
  EXPECT_TRUE(fitted.ok()) << fitted.status().message();
  const Measured run = RunOf(16, 1000);
  const auto p = fitted->Predict(run.program, run.costs, {});
  EXPECT_TRUE(p.ok()) << p.status().message();
  return p->deviation;
}

TEST(Calibration, IsKnownAsWellAsItMeetsTheRuns) {
  const double exact = DeviationWith(0);
  // Two runs of the size at hand, met within 0.3 % at best.
  EXPECT_NEAR(exact, 0.003 / std::sqrt(2), 0.0003);
  EXPECT_NEAR(DeviationWith(0.001), exact, 0.0003);
  const double off = DeviationWith(0.006);
  EXPECT_NEAR(off, 0.006 / std::sqrt(2), 0.0006);
  EXPECT_NEAR(DeviationWith(0.03) / off, 5, 1);
}

}  // namespace
}  // namespace ranksight::online_model
