#include "replay_engine/compute/pacer.h"

#include <gtest/gtest.h>

#include "tests/unit/replay_engine/fake_clock.h"

namespace ranksight::replay_engine {
namespace {

TEST(Pacer, OwnWorkSinceTheLastCallCountsAsComputation) {
  FakeClock clock;
  Pacer pacer(clock);
  pacer.CallReturned();
  const int64_t returned = clock.now_ns;
  clock.now_ns += 300;
  pacer.Compute(1000);
  EXPECT_EQ(clock.now_ns, returned + 1000);
  EXPECT_EQ(pacer.debt_ns(), 0);
}

TEST(Pacer, WorkThatDidNotFitIsTakenFromTheNextComputation) {
  FakeClock clock;
  Pacer pacer(clock);
  const int64_t start = clock.now_ns;
  clock.now_ns += 400;
  pacer.Compute(100);
  EXPECT_EQ(pacer.debt_ns(), 300);
  pacer.CallReturned();
  pacer.Compute(1000);
  EXPECT_EQ(clock.now_ns, start + 1100);
  EXPECT_EQ(pacer.debt_ns(), 0);
}

TEST(Pacer, TimeInsideCallsIsNotTakenFromComputation) {
  FakeClock clock;
  Pacer pacer(clock);
  pacer.Compute(500);
  clock.now_ns += 70'000;
  pacer.CallReturned();
  const int64_t returned = clock.now_ns;
  pacer.Compute(500);
  EXPECT_EQ(clock.now_ns, returned + 500);
}

TEST(Pacer, OvershootingWaitsAddUpToTheRightSum) {
  FakeClock clock;
  clock.overshoot_ns = 60;
  Pacer pacer(clock);
  const int64_t start = clock.now_ns;
  for (int i = 0; i < 1000; ++i) {
    pacer.Compute(100);
    pacer.CallReturned();
  }
  EXPECT_NEAR(clock.now_ns - start, 100'000, 200);
}

TEST(Pacer, NegativeAndAbsurdDurationsAreClamped) {
  FakeClock clock;
  Pacer pacer(clock);
  const int64_t start = clock.now_ns;
  pacer.Compute(-1e30);
  EXPECT_EQ(clock.now_ns, start);
  pacer.Compute(1e300);
  EXPECT_GT(clock.now_ns, start);
}

}  // namespace
}  // namespace ranksight::replay_engine
