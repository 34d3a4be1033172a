#include "online_model/walk/message_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "online_model/walk/calibrate.h"
#include "tests/unit/online_model/compiled_run.h"
#include "tests/unit/online_model/pipeline_run.h"

namespace ranksight::online_model {
namespace {

using testing::Pipeline;

struct Protocol3 {
  double latency, byte;
};
// Three protocols, the changes between them at 1,000 and 60,000 bytes.
Protocol3 ProtocolOf(double bytes) {
  if (bytes < 1000) return {2e-6, 6e-9};
  if (bytes < 60000) return {3e-6, 2e-9};
  return {12e-6, 1e-9};
}
double SecondsOf(double bytes) {
  const Protocol3 p = ProtocolOf(bytes);
  return p.latency + p.byte * bytes;
}

// A tenth between lengths; each time that part off, at most.
std::vector<AtBytes> Measurements(double noise = 0) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> off(-noise, noise);
  std::vector<AtBytes> times;
  for (double bytes = 1; bytes < 1e7; bytes = std::ceil(bytes * 1.1)) {
    times.push_back({bytes, SecondsOf(bytes) * (1 + off(random))});
  }
  return times;
}

TEST(MessageCurve, HasTheNumbersOfEachProtocol) {
  const MessageCurve curve(Measurements());
  ASSERT_TRUE(curve.known());
  EXPECT_NEAR(curve.latency() / 2e-6, 1, 1e-6);
  EXPECT_NEAR(curve.byte() / 1e-9, 1, 1e-6);
  for (const double bytes :
       {1., 64., 900., 1100., 30e3, 55e3, 66e3, 1e6, 1e9}) {
    const Protocol3 p = ProtocolOf(bytes);
    EXPECT_NEAR(curve.Latency(bytes) * 2e-6 / p.latency, 1, 1e-6) << bytes;
    EXPECT_NEAR(curve.Byte(bytes) * 1e-9 / p.byte, 1, 1e-6) << bytes;
  }
}

TEST(MessageCurve, OfTimesThatAreOffKeepsTheTimes) {
  const MessageCurve curve(Measurements(0.02));
  for (double bytes = 1; bytes < 1e7; bytes *= 1.37) {
    if (std::abs(bytes / 1000 - 1) < 0.1 || std::abs(bytes / 6e4 - 1) < 0.1) {
      continue;
    }
    const double seconds = curve.latency() * curve.Latency(bytes) +
                           curve.byte() * curve.Byte(bytes) * bytes;
    EXPECT_NEAR(seconds / SecondsOf(bytes), 1, 0.04) << bytes;
  }
}

TEST(MessageCurve, SaysNothingOfOneLength) {
  EXPECT_FALSE(MessageCurve({}).known());
  EXPECT_FALSE(MessageCurve({{8, 1e-6}}).known());
  const MessageCurve two({{8, 2e-6}, {8000, 1e-6}});
  EXPECT_EQ(two.Byte(100), 1);  // no time of its own for a byte
}

// A pipeline whose messages take half as much latency again as measured, and a
// byte a fifth more: farther, and among others.
Measured RunOf(int64_t ranks, int64_t bytes) {
  const Protocol3 of = ProtocolOf(double(bytes));
  Pipeline p;
  p.ranks = ranks;
  p.bytes = bytes;
  p.message = 1.5 * of.latency + 1.2 * of.byte * double(bytes);
  p.compute = 1e-6;
  return testing::MeasuredRun(testing::PipelineRun(p),
                              testing::PipelineSeconds(p));
}

// The small runs send long messages only, the large one short ones.
TEST(Calibration, TakesLengthsThatNoRunHasFromTheCurve) {
  const std::vector<Measured> runs = {RunOf(4, 2'000'000), RunOf(8, 500'000),
                                      RunOf(12, 90'000), RunOf(16, 70'000)};
  const Measured asked = RunOf(32, 400);
  KnownNetwork known;
  known.curve = std::make_shared<MessageCurve>(Measurements());
  const auto with = Calibration::Fit(runs, known);
  const auto without = Calibration::Fit(runs);
  ASSERT_TRUE(with.ok() && without.ok());
  const auto p = with->Predict(asked.program, asked.costs, {});
  const auto blind = without->Predict(asked.program, asked.costs, {});
  ASSERT_TRUE(p.ok() && blind.ok());
  EXPECT_NEAR(p->seconds / asked.seconds, 1, 0.05);
  // As far as is known, within a tenth or so; and hardly at all.
  EXPECT_LT(p->deviation, 0.15);
  EXPECT_GT(blind->deviation, 0.35);
}

}  // namespace
}  // namespace ranksight::online_model
