#include "online_model/twin/rounded_law.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;

ExpressionPtr Number(int64_t n) { return ConstantExpression(n); }
ExpressionPtr Ranks() { return FeatureExpression(Feature::Kind::kRanks); }
ExpressionPtr Rank() { return FeatureExpression(Feature::Kind::kRank); }

SequenceLaw LawOf(ExpressionPtr e) {
  SequenceLaw law;
  law.values = {OfExpression(std::move(e))};
  return law;
}

int64_t At(const SequenceLaw& law, int64_t ranks, int64_t rank) {
  const Grid grid{{ranks}};
  return law.values[0].At(Context(grid, rank));
}

TEST(RoundedLaw, IsTheNearestWholeNumber) {
  const SequenceLaw law =
      LawOf(Combine(Op::kDivideExactly, Number(120), Ranks()));
  const auto rounded = RoundedLaw(law);
  ASSERT_TRUE(rounded);
  for (int64_t n = 1; n <= 300; ++n) {
    EXPECT_EQ(At(*rounded, n, 0), std::floor(120.0 / double(n) + 0.5)) << n;
    if (120 % n == 0) EXPECT_EQ(At(*rounded, n, 0), At(law, n, 0));
  }
}

TEST(RoundedLaw, DoesNotDependOnHowTheLawIsWritten) {
  const auto third = [](ExpressionPtr e) {
    return Combine(Op::kDivideExactly, std::move(e), Number(3));
  };
  const SequenceLaw forms[] = {
      LawOf(third(Combine(Op::kMultiply, Number(2), Ranks()))),
      LawOf(Combine(Op::kMultiply, Number(2), third(Ranks()))),
      LawOf(Combine(Op::kAdd, third(Ranks()), third(Ranks()))),
      LawOf(Combine(Op::kSubtract, Ranks(), third(Ranks()))),
      LawOf(SelectExpression(Combine(Op::kLess, Rank(), Number(2)),
                             third(Combine(Op::kMultiply, Number(2), Ranks())),
                             Combine(Op::kSubtract, Ranks(), third(Ranks()))))};
  for (const SequenceLaw& law : forms) {
    const auto rounded = RoundedLaw(law);
    ASSERT_TRUE(rounded);
    for (int64_t n = 1; n <= 60; ++n) {
      for (const int64_t rank : {int64_t{0}, n - 1}) {
        EXPECT_EQ(At(*rounded, n, rank), std::floor(2 * double(n) / 3 + 0.5))
            << law.ToString() << " at " << n;
      }
    }
  }
}

TEST(RoundedLaw, TakesTheWholeInTheMiddleOfThoseThatTheRunsMayShare) {
  const SequenceLaw law = LawOf(ShareExpression(100, 104, Ranks()));
  EXPECT_EQ(At(law, 3, 0), kNotWhole);
  const auto rounded = RoundedLaw(law);
  ASSERT_TRUE(rounded);
  EXPECT_EQ(At(*rounded, 3, 0), 34);
}

TEST(RoundedLaw, ThereIsNoneWithoutADivisionThatMayLeaveARest) {
  EXPECT_FALSE(RoundedLaw(LawOf(Combine(Op::kAdd, Ranks(), Rank()))));
  EXPECT_FALSE(RoundedLaw(LawOf(Combine(Op::kDivide, Ranks(), Number(3)))));
}

}  // namespace
}  // namespace ranksight::online_model
