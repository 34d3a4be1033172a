#include "online_model/synthesize/check_shares.h"

#include <gtest/gtest.h>

#include <vector>

namespace ranksight::online_model {
namespace {

// A parameter that is an equal share of `whole`.
NodeLaw SharingOut(int64_t whole) {
  SequenceLaw count;
  count.values = {OfExpression(
      Combine(Expression::Op::kDivideExactly, ConstantExpression(whole),
              FeatureExpression(Feature::Kind::kRanks)))};
  NodeLaw event;
  event.params = {count};
  NodeLaw tree;
  tree.children = {event};
  return tree;
}

bool IsTold(int64_t whole, int64_t ranks) {
  const std::vector<Grid> runs{{{2}}, {{4}}, {{8}}};
  return CheckShares(SharingOut(whole), runs, Grid{{ranks}}).ok();
}

// 480 over 16 are 30, and 120 points of four numbers no equal shares.
TEST(CheckShares, UnitsThatTheTargetDoesNotDivideAreRefused) {
  EXPECT_FALSE(IsTold(480, 16));
  EXPECT_FALSE(IsTold(480, 10));  // 240 pairs, or 48 and 24 of ten
}

TEST(CheckShares, WhatTheTargetDividesInUnitsTooIsTold) {
  EXPECT_TRUE(IsTold(480, 4));
  EXPECT_TRUE(IsTold(1024, 16));
  EXPECT_TRUE(IsTold(1024, 128));
  EXPECT_TRUE(IsTold(1024, 1024));  // who has units has one for each rank
}

// 8 divides no smaller number of units than 88, and 11 of eight not at all.
TEST(CheckShares, UnitsThatRunsDoNotDivideAreNone) {
  EXPECT_TRUE(IsTold(88, 44));
}

}  // namespace
}  // namespace ranksight::online_model
