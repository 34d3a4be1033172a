#include "online_model/join/agree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ranksight::online_model {
namespace {

double SumOf(const std::vector<Summand>& parts) {
  double sum = 0;
  for (const Summand& p : parts) sum += p.occurrences * p.value;
  return sum;
}

TEST(Agree, PartsAreChangedByAsMuchAsTheyAreInDoubt) {
  // 10 that are known, and 10 that may be twice as much.
  std::vector<Summand> parts = {{5, 2, 0}, {5, 2, 1}};
  const double half_width = Agree(15, 1e-6, &parts);
  EXPECT_NEAR(SumOf(parts), 15, 1e-6);
  EXPECT_EQ(parts[0].value, 2);
  EXPECT_NEAR(parts[1].value, 1, 1e-6);
  EXPECT_NEAR(half_width, 1e-6, 1e-6);
}

TEST(Agree, TheSumsAreWeighedByHowWellTheyAreKnown) {
  // 100 to either side of 100, and 50 of 130: four times the weight.
  std::vector<Summand> parts = {{10, 10, 1}};
  const double half_width = Agree(130, 50, &parts);
  EXPECT_NEAR(SumOf(parts), (100 + 4 * 130) / 5.0, 1e-6);
  EXPECT_EQ(half_width, 50);
  // What is known as it is stays, whatever a vague sum says.
  parts = {{10, 10, 1e-6}};
  Agree(130, 50, &parts);
  EXPECT_NEAR(SumOf(parts), 100, 1e-3);
}

TEST(Agree, SumsThatExcludeEachOtherAreInDoubtByTheirDistance) {
  std::vector<Summand> parts = {{1, 100, 0.01}};
  EXPECT_NEAR(Agree(200, 1, &parts), 50, 1e-6);
}

TEST(Agree, WithoutAnotherSumPartsStayAsTheyAre) {
  std::vector<Summand> parts = {{2, 3, 0.5}, {1, 4, 0.25}};
  EXPECT_EQ(Agree(0, 0, &parts), 2 * 3 * 0.5 + 4 * 0.25);
  EXPECT_EQ(parts[0].value, 3);
  EXPECT_EQ(Agree(7, INFINITY, &parts), 2 * 3 * 0.5 + 4 * 0.25);
  EXPECT_EQ(parts[0].value, 3);
  // What is not known at all says nothing of the others.
  parts[1].half_width = INFINITY;
  EXPECT_EQ(Agree(7, 1, &parts), INFINITY);
  EXPECT_EQ(parts[0].value, 3);
  std::vector<Summand> none;
  EXPECT_EQ(Agree(7, 1, &none), 0);
}

// Parts cannot be more than so far off: what is left is the sum's doubt.
TEST(Agree, NothingGetsNegative) {
  std::vector<Summand> parts = {{1, 100, 0.5}, {1, 1, 0.5}};
  Agree(1e-3, 1e-6, &parts);
  EXPECT_GT(parts[0].value, 0);
  EXPECT_GT(parts[1].value, 0);
}

}  // namespace
}  // namespace ranksight::online_model
