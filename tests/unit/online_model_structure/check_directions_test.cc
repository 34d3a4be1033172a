#include "online_model/synthesize/check_directions.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Param;

// Whether runs tell where this law of a call's peer goes on 4 x 4 ranks.
bool IsTold(Call call, const ScalarLaw& peer, const std::vector<Grid>& runs) {
  reduction::Node tree;
  tree.call = call;
  NodeLaw law;
  for (const Param p : reduction::Info(call).params) {
    SequenceLaw one;
    one.values = {p == Param::kPeer ? peer : ScalarLaw{}};
    law.params.push_back(one);
    law.absent.push_back(false);
  }
  return CheckDirections(law, tree, runs, Grid{{4, 4}}).ok();
}

ScalarLaw NextAlong(size_t side, unsigned periodic, int64_t by = 1) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kNeighbour;
  law.ndims = 2;
  law.by[side] = by;
  law.periodic = periodic;
  return law;
}

const std::vector<Grid> kOneSideOfTwo{{{2, 2}}, {{3, 2}}, {{4, 2}}};

TEST(CheckDirections, WhereASideIsTwoRanksInAllRunsNoneIsTold) {
  EXPECT_FALSE(IsTold(Call::MPI_Put_, NextAlong(1, 3), kOneSideOfTwo));
  EXPECT_FALSE(IsTold(Call::MPI_Get_, NextAlong(1, 2, -1), kOneSideOfTwo));
  EXPECT_FALSE(IsTold(Call::MPI_Put_,
                      OfExpression(MoveExpression(1, ConstantExpression(1))),
                      kOneSideOfTwo));
}

TEST(CheckDirections, ALongerSideOrAnEndTellsIt) {
  EXPECT_TRUE(IsTold(Call::MPI_Put_, NextAlong(0, 3), kOneSideOfTwo));
  // Who has nobody there says it.
  EXPECT_TRUE(IsTold(Call::MPI_Put_, NextAlong(1, 0), kOneSideOfTwo));
  EXPECT_TRUE(IsTold(Call::MPI_Put_, NextAlong(1, 3), {{{2, 2}}, {{2, 3}}}));
}

// Whether runs tell the list of sources of a graph, on this target, where so
// many are said to be in it.
bool IsListTold(Neighbours list, const std::vector<Grid>& runs,
                const Grid& target, int64_t count) {
  reduction::Node tree;
  tree.call = Call::MPI_Dist_graph_create_adjacent_;
  NodeLaw law;
  for (const Param p : reduction::Info(tree.call).params) {
    SequenceLaw one;
    one.values = {ScalarLaw{}};
    if (p == Param::kSources) {
      law.params.back().values[0].constant = count;
      one.peers = true;
      one.list = std::make_shared<const Neighbours>(list);
    }
    law.params.push_back(one);
    law.absent.push_back(false);
  }
  return CheckDirections(law, tree, runs, target).ok();
}

const Grid kFourByFour{{4, 4}};
const std::vector<Grid> kLongSides{{{2, 2}}, {{3, 3}}};

TEST(CheckDirections, AroundTwoRanksAListMayHaveOneNeighbourOrTwo) {
  Neighbours once{{{1, 0}, {0, 1}}, 3, 2};
  once.skips_own = once.skips_known = true;
  EXPECT_FALSE(IsListTold(once, kOneSideOfTwo, kFourByFour, 2));
  EXPECT_TRUE(IsListTold(once, kLongSides, kFourByFour, 2));
  // As well where it seems to end there.
  once.periodic = 1;
  EXPECT_FALSE(IsListTold(once, kOneSideOfTwo, kFourByFour, 2));
}

TEST(CheckDirections, AListThatHasBothNeighboursGoesBothWays) {
  const Neighbours both{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}, 3, 2};
  EXPECT_TRUE(IsListTold(both, kOneSideOfTwo, kFourByFour, 4));
  // Two ranks on an open side have one neighbour each, and around it as well.
  const Neighbours open{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}, 1, 2};
  EXPECT_FALSE(IsListTold(open, kOneSideOfTwo, kFourByFour, 4));
}

TEST(CheckDirections, OnASideThatIsAsShortInNoRunRanksMayBeSkipped) {
  const Neighbours both{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}, 3, 2};
  EXPECT_FALSE(IsListTold(both, {{{3, 3}}, {{4, 4}}}, Grid{{2, 5}}, 4));
  EXPECT_TRUE(IsListTold(both, {{{3, 3}}, {{2, 4}}}, Grid{{2, 5}}, 4));
}

// As a set has them, in which one of two names that are alike is missing. Of
// messages as well as of what graphs say.
TEST(CheckDirections, OnASideThatIsAsShortInNoRunASetMaySkipRanks) {
  Neighbours list{{{0, 1}, {0, -1}, {1, 0}, {-1, 0}}, 3, 2};
  const std::vector<Grid> runs{{{3, 3}}, {{4, 3}}, {{4, 4}}};
  for (const bool ascending : {false, true}) {
    list.ascending = ascending;
    reduction::Node tree;
    tree.call = Call::MPI_Isend_;
    NodeLaw law;
    for (const Param p : reduction::Info(tree.call).params) {
      SequenceLaw one;
      one.values = {ScalarLaw{}};
      if (p == Param::kPeer) {
        one.form = SequenceLaw::Form::kBySlot;
        one.peers = true;
        one.list = std::make_shared<const Neighbours>(list);
      }
      law.params.push_back(one);
      law.absent.push_back(false);
    }
    EXPECT_EQ(CheckDirections(law, tree, runs, Grid{{11, 2}}).ok(), !ascending);
  }
}

TEST(CheckDirections, AListIsAsLongAsItsLengthSays) {
  const Neighbours open{{{-1, 0}, {1, 0}}, 0, 2};
  EXPECT_FALSE(IsListTold(open, kLongSides, kFourByFour, 2));
}

// Whether runs tell when the last of ranks that pair off waits: a loop that the
// first goes through `first` times in turn, the last `last` and others
// `within`.
bool IsTurnTold(const std::vector<int64_t>& sizes, int64_t target,
                int64_t left_out, int64_t first, int64_t last, int64_t within) {
  Neighbours list{{{1}, {-1}}, 0, 1, true};
  list.left_out_last = left_out;
  const ExpressionPtr is_last =
      Combine(Expression::Op::kEqual, FeatureExpression(Feature::Kind::kLeft),
              ConstantExpression(left_out + 1));
  NodeLaw event;
  reduction::Node call;
  call.call = Call::MPI_Send_;
  for (const Param p : reduction::Info(call.call).params) {
    SequenceLaw one;
    one.values = {ScalarLaw{}};
    if (p == Param::kPeer) {
      one.form = SequenceLaw::Form::kBySlot;
      one.peers = true;
      one.list = std::make_shared<const Neighbours>(list);
    }
    event.params.push_back(one);
    event.absent.push_back(false);
  }
  event.trips.values = {OfExpression(ConstantExpression(1))};
  NodeLaw loop;
  loop.trips.values = {OfExpression(SelectExpression(
      FeatureExpression(Feature::Kind::kZeroRank), ConstantExpression(first),
      SelectExpression(is_last, ConstantExpression(last),
                       ConstantExpression(within))))};
  loop.children = {event};
  reduction::Node tree;
  tree.kind = reduction::Node::Kind::kLoop;
  tree.children = {call};
  std::vector<Grid> runs;
  for (const int64_t n : sizes) runs.push_back({{n}});
  return CheckDirections(loop, tree, runs, Grid{{target}}).ok();
}

// In five rounds the first rank has a partner in three. The last one has one in
// three where ranks are an even number, and in two where they are an odd one.
TEST(CheckDirections, WhenTheLastOfAPairingWaitsItsKindOfNumberTells) {
  EXPECT_FALSE(IsTurnTold({4, 6, 8}, 25, 0, 3, 3, 5));
  EXPECT_TRUE(IsTurnTold({4, 6, 8}, 24, 0, 3, 3, 5));
  EXPECT_TRUE(IsTurnTold({4, 6, 9}, 25, 0, 3, 3, 5));
  // Without the last rank the others are an odd number.
  EXPECT_FALSE(IsTurnTold({4, 6, 8}, 25, 1, 3, 2, 5));
  EXPECT_TRUE(IsTurnTold({4, 6, 8}, 24, 1, 3, 2, 5));
}

TEST(CheckDirections, OfAnEvenNumberOfRoundsBothEndsWaitInHalf) {
  EXPECT_TRUE(IsTurnTold({4, 6, 8}, 25, 0, 2, 2, 4));
}

// One rank of three, five, seven may be what is left of pairs.
TEST(CheckDirections, RanksWithoutAPartMayBeWhatIsLeftOfSomeNumber) {
  EXPECT_FALSE(IsTurnTold({5, 7, 9}, 24, 1, 2, 2, 4));
  EXPECT_TRUE(IsTurnTold({5, 7, 9}, 25, 1, 2, 2, 4));
  EXPECT_FALSE(IsTurnTold({7, 11, 15}, 24, 3, 2, 2, 4));
  EXPECT_TRUE(IsTurnTold({7, 11, 16}, 24, 3, 2, 2, 4));
}

// The other end of a message says where it goes.
TEST(CheckDirections, MessagesAreNotAsked) {
  EXPECT_TRUE(IsTold(Call::MPI_Send_, NextAlong(1, 3), kOneSideOfTwo));
}

}  // namespace
}  // namespace ranksight::online_model
