#include "runtime/capture/own_time.h"

#include <gtest/gtest.h>
#include <time.h>

#include <cstdint>

namespace ranksight::runtime {

// The whole runtime has them; here they are this test's alone.
const Hint kOutside;
constinit thread_local HotThread hot;

namespace {

uint64_t ProcessorNs() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return uint64_t(t.tv_sec) * 1000000000u + uint64_t(t.tv_nsec);
}

// Runs for so long, however long that takes.
void Work(uint64_t ns) {
  const uint64_t until = ProcessorNs() + ns;
  while (ProcessorNs() < until) {
  }
}

constexpr uint64_t kMs = 1000000;
constexpr uint64_t kNow = 1000 * kMs, kLater = 500000 * kMs;

TEST(OwnTime, ComputationIsWhatTheThreadRanForAndNotWhatPassed) {
  OwnTime::TurnOn();
  OwnTime::Leave(kNow);
  Work(20 * kMs);
  OwnTime::Enter(kLater);
  EXPECT_NEAR(double(kLater - hot.left_ticks), 20e6, 1e6);
  // Whoever looks again finds the same and what came since.
  Work(10 * kMs);
  OwnTime::Enter(2 * kLater);
  EXPECT_NEAR(double(2 * kLater - hot.left_ticks), 30e6, 1e6);
}

TEST(OwnTime, PollsThatFindNothingAreNoComputation) {
  OwnTime::TurnOn();
  OwnTime::Leave(kNow);
  Work(20 * kMs);
  for (uint64_t poll = 1; poll <= 3; ++poll) {
    OwnTime::Enter(poll * kLater);
    Work(15 * kMs);  // within the poll
    OwnTime::LeaveOutPoll(poll * kLater);
  }
  Work(5 * kMs);
  OwnTime::Enter(4 * kLater);
  EXPECT_NEAR(double(4 * kLater - hot.left_ticks), 25e6, 1.5e6);
}

TEST(OwnTime, ReadingTheTimeManyTimesAddsNothing) {
  OwnTime::TurnOn();
  OwnTime::Leave(kNow);
  const uint64_t before = ProcessorNs();
  for (uint64_t poll = 1; poll <= 10000; ++poll) {
    OwnTime::Enter(kNow + poll * kMs);
    OwnTime::LeaveOutPoll(kNow + poll * kMs);
  }
  const uint64_t took = ProcessorNs() - before;
  OwnTime::Enter(kLater);
  EXPECT_LT(double(kLater - hot.left_ticks), 0.5 * double(took));
}

}  // namespace
}  // namespace ranksight::runtime
