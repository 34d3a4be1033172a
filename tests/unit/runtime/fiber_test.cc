#include "runtime/epoch/fiber.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "reduction/api/pause.h"
#include "runtime/capture/clock.h"
#include "runtime/epoch/schedule.h"

namespace ranksight::runtime {
namespace {

constexpr uint64_t kForever = ~uint64_t{0};

TEST(Fiber, GoesOnWhereItYielded) {
  std::string said;
  const auto fiber = Fiber::Make([&said] {
    for (int i = 0; i < 3; ++i) {
      said += char('a' + i);
      Fiber::Yield();
    }
  });
  for (int slices = 1; slices <= 3; ++slices) {
    EXPECT_FALSE(fiber->Run(kForever));
    EXPECT_EQ(said.size(), size_t(slices));
  }
  EXPECT_TRUE(fiber->Run(kForever));
  EXPECT_TRUE(fiber->Run(kForever));
  EXPECT_EQ(said, "abc");
}

TEST(Fiber, PausesOnlyWhenTheSliceIsUsedUp) {
  int steps = 0;
  const auto fiber = Fiber::Make([&steps] {
    for (; steps < 4; ++steps) reduction::Pause();
  });
  EXPECT_FALSE(fiber->Run(0));
  EXPECT_EQ(steps, 0);
  EXPECT_FALSE(fiber->Run(0));
  EXPECT_EQ(steps, 1);
  EXPECT_TRUE(fiber->Run(kForever));
  EXPECT_EQ(steps, 4);
}

TEST(Fiber, PausesOutsideFibersRunNoFiber) {
  int steps = 0;
  const auto fiber = Fiber::Make([&steps] {
    ++steps;
    Fiber::Yield();
    ++steps;
  });
  reduction::Pause();
  EXPECT_EQ(steps, 0);
  EXPECT_FALSE(fiber->Run(0));
  // The slice is used up, but it is not the fiber that pauses.
  reduction::Pause();
  EXPECT_EQ(steps, 1);
  EXPECT_TRUE(fiber->Run(kForever));
  EXPECT_EQ(steps, 2);
}

TEST(Fiber, ReleasesWhatItHoldsWhenGivenUp) {
  const auto held = std::make_shared<int>(1);
  auto fiber = Fiber::Make([held] {
    const std::vector<std::shared_ptr<int>> more(3, held);
    Fiber::Yield();
    ADD_FAILURE() << "went on";
  });
  fiber->Run(kForever);
  EXPECT_EQ(held.use_count(), 5);
  fiber.reset();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Fiber, EndsWithWhatItsBodyThrows) {
  const auto fiber =
      Fiber::Make([] { throw std::runtime_error("a body's own"); });
  EXPECT_TRUE(fiber->Run(kForever));
}

TEST(Fiber, AnyThreadRunsTheNextSlice) {
  int steps = 0;
  const auto fiber = Fiber::Make([&steps] {
    for (; steps < 20; ++steps) reduction::Pause();
  });
  bool ended = false;
  while (!ended) {
    std::thread([&] { ended = fiber->Run(0); }).join();
  }
  EXPECT_EQ(steps, 20);
}

TEST(Schedule, LowerLevelsWaitLessAndNobodyMoreThanHalfAPeriod) {
  Schedule s{1000, 0, 3};
  EXPECT_EQ(s.CutAt(999), 0u);
  EXPECT_EQ(s.CutAt(2000), 2u);
  EXPECT_EQ(s.WaitUntil(2), 2000u);
  uint64_t last = 0;
  for (s.height = 0; s.height <= 3; ++s.height) {
    EXPECT_GE(s.WaitUntil(2), last);
    last = s.WaitUntil(2);
  }
  EXPECT_EQ(last, 2500u);
}

TEST(Schedule, WithoutAPeriodThereAreNoCuts) {
  EXPECT_EQ(Schedule().CutAt(123456789), 0u);
}

}  // namespace
}  // namespace ranksight::runtime
