#include "online_model/synthesize/telling_run.h"

#include <gtest/gtest.h>

#include <vector>

namespace ranksight::online_model {
namespace {

using reduction::Status;

TEST(TellingRun, IsTheLeastThatIsNoSmallerThanTheRuns) {
  const std::vector<int64_t> sizes{8, 12, 16};
  const auto divides = [](int64_t n) { return 240 % n != 0; };
  EXPECT_EQ(TellingRun(sizes, 64, divides), 9);
  EXPECT_EQ(TellingRun(sizes, 64, [](int64_t n) { return n % 4 == 0; }), 20);
}

TEST(TellingRun, MayBeSmallerWhereNoLargerOneTells) {
  const std::vector<int64_t> sizes{8, 12, 16};
  EXPECT_EQ(TellingRun(sizes, 64, [](int64_t n) { return n < 8; }), 7);
  EXPECT_EQ(TellingRun(sizes, 64, [](int64_t n) { return n == 33; }), 0);
  EXPECT_EQ(TellingRun(sizes, 6, [](int64_t n) { return n == 3; }), 3);
  EXPECT_EQ(TellingRun(sizes, 64, [](int64_t) { return false; }), 0);
  EXPECT_EQ(TellingRun({}, 64, [](int64_t) { return true; }), 0);
  const std::vector<int64_t> powers{4, 8, 16};
  EXPECT_EQ(TellingRun(powers, 128, [](int64_t n) { return n > 16; }), 32);
}

TEST(TellingRun, WhatIsOpenIsTheSameAtAnyRankCount) {
  const Status at_64 = OpenAtTarget("240 are shared out", 64, "8 along it");
  EXPECT_TRUE(AreOpenAlike(at_64, OpenAtTarget("240 are shared out", 20, "5")));
  EXPECT_FALSE(AreOpenAlike(at_64, OpenAtTarget("120 are shared out", 20, "")));
  EXPECT_FALSE(AreOpenAlike(Status::No("none"), Status::No("none")));
  EXPECT_EQ(
      WithTellingRun(at_64, 20).message(),
      "240 are shared out; at 64 ranks, 8 along it; a run of 20 ranks may "
      "tell");
  EXPECT_TRUE(WithTellingRun(at_64, 0).message().ends_with(
      "; a run of such a size may tell"));
}

}  // namespace
}  // namespace ranksight::online_model
