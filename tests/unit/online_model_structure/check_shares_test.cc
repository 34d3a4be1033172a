#include "online_model/synthesize/check_shares.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

SequenceLaw One(ScalarLaw law) {
  SequenceLaw one;
  one.values = {std::move(law)};
  return one;
}

ScalarLaw Constant(int64_t value) {
  ScalarLaw law;
  law.constant = value;
  return law;
}

// A call of all that has an equal share of `whole`, and messages of `row`
// numbers.
struct Sharing {
  explicit Sharing(int64_t whole, int64_t row = 1) {
    Add(reduction::Call::MPI_Allreduce_, Share(whole));
    Add(reduction::Call::MPI_Send_, Constant(row));
  }

  static ScalarLaw Share(int64_t whole) {
    return OfExpression(Combine(Expression::Op::kDivideExactly,
                                ConstantExpression(whole),
                                FeatureExpression(Feature::Kind::kRanks)));
  }

  void Add(reduction::Call call, const ScalarLaw& count) {
    reduction::Node event;
    event.call = call;
    NodeLaw law;
    for (const reduction::Param p : reduction::Info(call).params) {
      const bool counts = p == reduction::Param::kCount;
      law.params.push_back(One(counts ? count : Constant(0)));
      law.absent.push_back(false);
    }
    tree.children.push_back(event);
    laws.children.push_back(law);
  }

  bool IsTold(int64_t ranks) const {
    const std::vector<Grid> runs{{{2}}, {{4}}, {{8}}};
    return CheckShares(laws, tree, runs, Grid{{ranks}}).ok();
  }

  reduction::Node tree;
  NodeLaw laws;
};

bool IsTold(int64_t whole, int64_t ranks) {
  return Sharing(whole).IsTold(ranks);
}

// What is 15 / 16 of 256 / N is as little told as 240 / N, which it is.
TEST(CheckShares, PartsOfSharesAreSharesThemselves) {
  const auto scaled =
      ScaledExpression(15, 16, Sharing::Share(256).expression, 0);
  EXPECT_EQ(scaled->ToString(), Sharing::Share(240).expression->ToString());
  // 7 / 16 of 24 / N are no share of a number.
  const auto other = ScaledExpression(7, 16, Sharing::Share(24).expression, 0);
  const Grid three{{3}};
  EXPECT_EQ(other->At(Context(three, 0)), kNotWhole);
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

// 2,160 lines of 15,360 bytes: 32 ranks have no equal numbers of lines. Nobody
// cuts 40 lines of 4 among 80.
TEST(CheckShares, RowsThatNeighboursExchangeAreUnits) {
  constexpr int64_t kRow = 15360;
  EXPECT_TRUE(Sharing(2160 * kRow).IsTold(32));
  EXPECT_FALSE(Sharing(2160 * kRow, kRow).IsTold(32));
  EXPECT_TRUE(Sharing(2160 * kRow, kRow).IsTold(16));
  EXPECT_TRUE(Sharing(2160 * kRow, 7 * kRow).IsTold(32));
}

// Among eight, 600 are no shares of two numbers a point, and so 480 neither;
// unless 240 and such, of something else, are shared out as well.
TEST(CheckShares, NeighboursThatGetNoUnitsTellThatThereAreNone) {
  Sharing faces(480);
  EXPECT_FALSE(faces.IsTold(16));
  faces.Add(reduction::Call::MPI_Send_, Sharing::Share(600));
  EXPECT_TRUE(faces.IsTold(32));
  faces.Add(reduction::Call::MPI_Allreduce_, Sharing::Share(240));
  EXPECT_FALSE(faces.IsTold(32));
}

// Half of 101 points on 3 and 4 ranks has 17, 17, 16 and 13, 12, 12, 12, as 53
// points have with one less each; on 8 ranks it has 6 everywhere.
TEST(CheckShares, ABlockWithAHaloMayBeHalfOfAnother) {
  const auto told = [](int64_t halo, int64_t ranks) {
    Sharing sharing(1);
    sharing.Add(reduction::Call::MPI_Send_,
                OfExpression(BlockExpression(101, 0)));
    sharing.Add(
        reduction::Call::MPI_Send_,
        OfExpression(AffineExpression(1, BlockExpression(53, 0), halo)));
    const std::vector<Grid> runs{{{3}}, {{4}}};
    return CheckShares(sharing.laws, sharing.tree, runs, Grid{{ranks}}).ok();
  };
  EXPECT_FALSE(told(-1, 8));
  EXPECT_TRUE(told(-1, 4));
  EXPECT_TRUE(told(2, 8));
}

}  // namespace
}  // namespace ranksight::online_model
