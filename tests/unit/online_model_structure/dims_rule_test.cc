#include "online_model/structure/dims_rule.h"

#include <gtest/gtest.h>

#include <set>

namespace ranksight::online_model {
namespace {

using Dims = std::vector<int64_t>;

// Expected shapes as MPICH 4.0.2 printed them.
TEST(DimsCreate, GivesTheShapesOfMpich) {
  EXPECT_EQ(DimsCreate(12, 2), (Dims{4, 3}));
  EXPECT_EQ(DimsCreate(18, 3), (Dims{3, 3, 2}));
  EXPECT_EQ(DimsCreate(64, 3), (Dims{4, 4, 4}));
  EXPECT_EQ(DimsCreate(17, 3), (Dims{17, 1, 1}));
}

TEST(DimsCreate, PrefersTheLargerTailAmongEquallyBalancedShapes) {
  EXPECT_EQ(DimsCreate(360, 3), (Dims{10, 6, 6}));     // not 9x8x5
  EXPECT_EQ(DimsCreate(5040, 3), (Dims{21, 16, 15}));  // not 20x18x14
  EXPECT_EQ(DimsCreate(20, 4), (Dims{5, 2, 2, 1}));    // not 5x4x1x1
  EXPECT_EQ(DimsCreate(168, 4), (Dims{7, 4, 3, 2}));   // not 7x6x2x2
}

TEST(DimsRule, ASquareHasNoShapeBetweenSquares) {
  DimsRule square;
  square.kind = DimsRule::Kind::kEqual;
  square.ndims = 2;
  EXPECT_EQ(square.DimsFor(49), (Dims{7, 7}));
  EXPECT_FALSE(square.DimsFor(48).has_value());
  EXPECT_EQ(NearbySizes(square, 48, 2), (Dims{36, 49}));
}

TEST(CandidateRules, PutsTheRuleThatGivesTheRecordedShapesFirst) {
  const auto rules = CandidateRules(
      {8, 12, 18}, {{8, {2, 2, 2}}, {12, {3, 2, 2}}, {18, {3, 3, 2}}});
  ASSERT_FALSE(rules.empty());
  EXPECT_EQ(rules[0].kind, DimsRule::Kind::kBalanced);
  EXPECT_EQ(rules[0].ndims, 3);
}

TEST(CandidateRules, ASideThatWasNeverLongerThanOneIsNoneUnlessItWasRecorded) {
  const auto ndims = [](const std::vector<DimsRule>& rules) {
    std::set<int> all;
    for (const DimsRule& rule : rules) all.insert(rule.ndims);
    return all;
  };
  // 2, 3, 2x2 and 3x2: nothing has three sides.
  EXPECT_EQ(ndims(CandidateRules({2, 3, 4, 6}, {})), (std::set<int>{1, 2}));
  EXPECT_EQ(ndims(CandidateRules({4, 6, 8}, {})), (std::set<int>{1, 2, 3}));
  const auto rules =
      CandidateRules({2, 3, 5}, {{2, {2, 1}}, {3, {3, 1}}, {5, {5, 1}}});
  ASSERT_FALSE(rules.empty());
  EXPECT_EQ(rules[0].kind, DimsRule::Kind::kBalanced);
}

}  // namespace
}  // namespace ranksight::online_model
