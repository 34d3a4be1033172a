#include "runtime/capture/clock.h"

#include <gtest/gtest.h>
#include <time.h>

#include <cmath>
#include <cstdint>

namespace ranksight::runtime {
namespace {

// The clock is one for all: each test chooses its own.

uint64_t MonotonicNs() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return uint64_t(t.tv_sec) * 1'000'000'000 + uint64_t(t.tv_nsec);
}

TEST(Clock, TicksOfTheMonotonicClockAreItsNanoseconds) {
  Clock::Choose("monotonic");
  const uint64_t before = MonotonicNs(), now = Clock::Now(),
                 after = MonotonicNs();
  EXPECT_LE(before, now);
  EXPECT_LE(now, after);
  EXPECT_EQ(Clock::TickNs(), 1);
  for (const int64_t ticks :
       {int64_t{0}, int64_t{1}, int64_t{999}, int64_t{1} << 40, INT64_MAX}) {
    EXPECT_EQ(Clock::ToNs(ticks), uint64_t(ticks));
  }
}

TEST(Clock, ADifferenceBelowZeroIsNoTime) {
  for (const char* name : {"monotonic", "tsc"}) {
    Clock::Choose(name);
    for (const int64_t ticks : {int64_t{-1}, int64_t{-1} << 40, INT64_MIN}) {
      EXPECT_EQ(Clock::ToNs(ticks), 0u) << name;
    }
  }
}

// A year of ticks does not overflow, and differs from what long numbers say by
// what the scaled factor leaves out.
TEST(Clock, TicksOfTheCounterAreScaledByItsRate) {
  Clock::Choose("tsc");
  Clock::Calibrate();
  const long double each = Clock::TickNs();
  for (const int64_t ticks : {int64_t{1}, int64_t{1000}, int64_t{1} << 32,
                              int64_t{3'000'000'000} * 86'400 * 365}) {
    const long double exact = each * ticks;
    EXPECT_NEAR(double(Clock::ToNs(ticks)), double(exact),
                1 + double(exact) * std::ldexp(1.0, -30));
  }
}

TEST(Clock, NeverGoesBack) {
  for (const char* name : {"monotonic", "tsc", ""}) {
    Clock::Choose(name);
    uint64_t last = Clock::NowInOrder();
    for (int i = 0; i < 1000; ++i) {
      const uint64_t now = Clock::NowInOrder();
      ASSERT_GE(now, last) << name;
      last = now;
    }
    EXPECT_GE(Clock::ReadingTicks(), 0) << name;
  }
}

}  // namespace
}  // namespace ranksight::runtime
