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

// Whether runs tell a list in which each rank stands once, on 4 x 4 ranks.
bool IsListTold(const std::vector<Grid>& runs) {
  reduction::Node tree;
  NodeLaw law;
  SequenceLaw sources;
  Neighbours list{{{1, 0}, {0, 1}}, 3, 2};
  list.skips_own = list.skips_known = true;
  sources.list = std::make_shared<const Neighbours>(list);
  law.params.push_back(sources);
  law.absent.push_back(false);
  return CheckDirections(law, tree, runs, Grid{{4, 4}}).ok();
}

TEST(CheckDirections, AroundTwoRanksAListMayHaveOneNeighbourOrTwo) {
  EXPECT_FALSE(IsListTold(kOneSideOfTwo));
  EXPECT_TRUE(IsListTold({{{2, 2}}, {{3, 3}}}));
}

// The other end of a message says where it goes.
TEST(CheckDirections, MessagesAreNotAsked) {
  EXPECT_TRUE(IsTold(Call::MPI_Send_, NextAlong(1, 3), kOneSideOfTwo));
}

}  // namespace
}  // namespace ranksight::online_model
