#include "runtime/capture/time_budget.h"

#include <gtest/gtest.h>

namespace ranksight::runtime {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;  // in ticks

TEST(TimeBudget, AllowsItsShareOfALongRun) {
  TimeBudget budget({.share = 0.02, .least_seconds = 1}, 0);
  EXPECT_TRUE(budget.Spend(2 * kSecond));
  EXPECT_FALSE(budget.IsSpent(101 * kSecond, 101));
  EXPECT_TRUE(budget.IsSpent(99 * kSecond, 99));
}

TEST(TimeBudget, AllowsTheLeastOfAShortRun) {
  TimeBudget budget({.share = 0.02, .least_seconds = 1}, 0);
  budget.Spend(kSecond - 1);
  EXPECT_FALSE(budget.IsSpent(2 * kSecond, 2));
  budget.Spend(2);
  EXPECT_TRUE(budget.IsSpent(2 * kSecond, 2));
}

// Three of four parts of both times are other processes'.
TEST(TimeBudget, LeavesOutWhatOtherProcessesTook) {
  TimeBudget budget({.share = 0.02, .least_seconds = 1}, 0);
  budget.Spend(3 * kSecond);
  EXPECT_FALSE(budget.IsSpent(8 * kSecond, 2));
  EXPECT_TRUE(budget.IsSpent(8 * kSecond, 8));
}

TEST(TimeBudget, TakesNoNoticeOfWhatWasBeforeTheRun) {
  TimeBudget budget({.share = 0.02, .least_seconds = 1}, 1000);
  budget.Spend(kSecond / 2);
  EXPECT_FALSE(budget.IsSpent(kSecond, 1001));
  EXPECT_FALSE(budget.IsSpent(kSecond, 1000));
}

TEST(TimeBudget, AsksAgainBeforeItCanBeSpent) {
  TimeBudget budget({.share = 0.02, .least_seconds = 1}, 0);
  EXPECT_TRUE(budget.Spend(1));
  EXPECT_FALSE(budget.IsSpent(kSecond, 1));
  uint64_t spent = 1, asked = 0;
  while (true) {
    spent += kSecond / 1000;
    if (!budget.Spend(kSecond / 1000)) continue;
    ++asked;
    if (budget.IsSpent(kSecond + spent, 1 + double(spent) / kSecond)) break;
  }
  EXPECT_GT(spent, kSecond);
  EXPECT_LT(spent, kSecond + kSecond / 100);
  EXPECT_LT(asked, 100);
}

}  // namespace
}  // namespace ranksight::runtime
