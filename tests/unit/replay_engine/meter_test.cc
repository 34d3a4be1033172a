#include "replay_engine/api/meter.h"

#include <gtest/gtest.h>

namespace ranksight::replay_engine {
namespace {

// Two seconds of start, then a tenth of the events in three.
ReplayMeter Under(double limit_s) {
  ReplayMeter meter;
  meter.all_events = 1000;
  meter.limit_s = limit_s;
  meter.events = 100;
  meter.start_s = meter.from_s = 2;
  meter.spent_s = 5;
  return meter;
}

TEST(ReplayMeter, AllEventsTakeThePaceOfThoseSoFarAndTheStartOnce) {
  EXPECT_DOUBLE_EQ(EstimatedSeconds(Under(0)), 2 + 3 * 10);
}

TEST(ReplayMeter, FirstEventsThatCostMoreAreNotThePaceOfTheRest) {
  ReplayMeter meter;
  meter.all_events = 10'000;
  meter.events = 1;
  SetSpent(3, &meter);
  EXPECT_DOUBLE_EQ(meter.start_s, 3);
  EXPECT_DOUBLE_EQ(EstimatedSeconds(meter), 3) << "no pace yet";
  double spent_s = 3;
  for (meter.events = 2; meter.events <= 5000; meter.events += 1) {
    spent_s += meter.events <= 100 ? 0.1 : 0.1 / 8;
    SetSpent(spent_s, &meter);
  }
  meter.events = 5000;
  EXPECT_NEAR(EstimatedSeconds(meter), spent_s + 5000 * 0.1 / 8, 1e-6);
}

TEST(ReplayMeter, EstimatesNothingBeyondWhatWasDone) {
  ReplayMeter meter = Under(0);
  meter.events = 1000;
  EXPECT_DOUBLE_EQ(EstimatedSeconds(meter), 5);
  meter.events = 0;
  EXPECT_DOUBLE_EQ(EstimatedSeconds(meter), 5);
}

TEST(ReplayMeter, StopsWhereTheLimitIsSpentOrTheEstimateIsBeyond) {
  EXPECT_EQ(StopOf(Under(0)), MeterStop::kNone) << "no limit";
  EXPECT_EQ(StopOf(Under(5)), MeterStop::kLimit);
  EXPECT_EQ(StopOf(Under(29)), MeterStop::kEstimateBeyond);
  EXPECT_EQ(StopOf(Under(33)), MeterStop::kNone) << "32 s are less";
}

TEST(ReplayMeter, EstimatesFromATenthOfTheLimitOn) {
  EXPECT_EQ(StopOf(Under(31)), MeterStop::kNone)
      << "three seconds of events are less than a tenth of 31";
  ReplayMeter start = Under(20);
  start.events = 1;
  start.spent_s = 2.5;
  EXPECT_EQ(StopOf(start), MeterStop::kNone) << EstimatedSeconds(start);
  start.spent_s = 4.5;
  EXPECT_EQ(StopOf(start), MeterStop::kEstimateBeyond);
}

TEST(ReplayMeter, EnoughIsOfEventsBehindTheStart) {
  ReplayMeter meter = Under(0);
  meter.enough_s = 4;
  EXPECT_EQ(StopOf(meter), MeterStop::kNone);
  meter.enough_s = 3;
  EXPECT_EQ(StopOf(meter), MeterStop::kEnough);
}

}  // namespace
}  // namespace ranksight::replay_engine
