#include "runtime/capture/time_budget.h"

#include <gtest/gtest.h>

namespace ranksight::runtime {
namespace {

using State = TimeBudget::State;
constexpr uint64_t kSecond = 1'000'000'000;  // in ticks
constexpr TimeShare kShare = {.share = 0.02, .least_seconds = 1};

TEST(TimeBudget, AllowsItsShareOfALongRun) {
  TimeBudget budget(kShare, 0);
  EXPECT_TRUE(budget.Spend(2 * kSecond));
  EXPECT_NE(budget.Look(101 * kSecond, 101, 0), State::kSpent);
  EXPECT_EQ(budget.Look(99 * kSecond, 99, 0), State::kSpent);
}

TEST(TimeBudget, AllowsTheLeastOfAShortRun) {
  TimeBudget budget(kShare, 0);
  budget.Spend(kSecond - 1);
  EXPECT_NE(budget.Look(2 * kSecond, 2, 0), State::kSpent);
  budget.Spend(2);
  EXPECT_EQ(budget.Look(2 * kSecond, 2, 0), State::kSpent);
}

TEST(TimeBudget, IsCoarseFromAPartOfItOn) {
  TimeBudget budget({.share = 0, .least_seconds = 1, .coarse_from = 0.25}, 0);
  budget.Spend(kSecond / 4);
  EXPECT_EQ(budget.Look(2 * kSecond, 2, 0), State::kRoom);
  budget.Spend(1);
  EXPECT_EQ(budget.Look(2 * kSecond, 2, 0), State::kCoarse);
}

TEST(TimeBudget, CountsWhatTheEndWillTake) {
  constexpr uint64_t kManyBytes = uint64_t{1} << 30;
  TimeBudget budget(kShare, 0);
  budget.Spend(1);
  EXPECT_EQ(budget.Look(2 * kSecond, 2, 0), State::kRoom);
  EXPECT_EQ(budget.Look(2 * kSecond, 2, kManyBytes), State::kSpent);
  // Less is kept now.
  EXPECT_EQ(budget.Look(2 * kSecond, 2, 0), State::kRoom);
}

// Three of four parts of both times are other processes'.
TEST(TimeBudget, LeavesOutWhatOtherProcessesTook) {
  TimeBudget budget(kShare, 0);
  budget.Spend(3 * kSecond);
  EXPECT_NE(budget.Look(8 * kSecond, 2, 0), State::kSpent);
  EXPECT_EQ(budget.Look(8 * kSecond, 8, 0), State::kSpent);
}

TEST(TimeBudget, TakesNoNoticeOfWhatWasBeforeTheRun) {
  TimeBudget budget(kShare, 1000);
  budget.Spend(kSecond / 2);
  EXPECT_NE(budget.Look(kSecond, 1001, 0), State::kSpent);
  EXPECT_NE(budget.Look(kSecond, 1000, 0), State::kSpent);
}

TEST(TimeBudget, AsksAgainBeforeItCanBeSpent) {
  TimeBudget budget(kShare, 0);
  EXPECT_TRUE(budget.Spend(1));
  EXPECT_EQ(budget.Look(kSecond, 1, 0), State::kRoom);
  uint64_t spent = 1, asked = 0;
  while (true) {
    spent += kSecond / 1000;
    if (!budget.Spend(kSecond / 1000)) continue;
    ++asked;
    const double cpu = 1 + double(spent) / kSecond;
    if (budget.Look(kSecond + spent, cpu, 0) == State::kSpent) break;
  }
  EXPECT_GT(spent, kSecond);
  EXPECT_LT(spent, kSecond + kSecond / 100);
  EXPECT_LT(asked, 100);
}

}  // namespace
}  // namespace ranksight::runtime
