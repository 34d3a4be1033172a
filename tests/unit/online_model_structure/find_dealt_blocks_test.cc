// Blocks dealt to ranks in turn, that rank 0 collects, and parts of a cube that
// go from pencil to pencil, against the counts that programs work out.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "online_model/structure/scalar_law.h"
#include "tests/unit/online_model_structure/formula_laws.h"

namespace ranksight::online_model {
namespace {

using testing::Formula;
using testing::SamplesOn;

// Blocks of a rank, counted one by one.
int64_t OwnBlocks(int64_t blocks, int64_t ranks, int64_t rank) {
  int64_t own = 0;
  for (int64_t b = 0; b < blocks; ++b) own += b % ranks == rank;
  return own;
}

void ExpectAt(const Grid& target, const ScalarLaw& law, const Formula& value) {
  for (int64_t r = 0; r < target.ranks(); ++r) {
    const Context c(target, r);
    EXPECT_EQ(law.At(c), value(c)) << law.ToString() << " at " << r;
  }
}

TEST(DealtBlocks, RankZeroCollectsAllButItsOwn) {
  constexpr int64_t kBlocks = 20;
  const std::vector<Grid> grids = {{{4}}, {{6}}, {{8}}, {{12}}};
  SearchSpace space;
  space.ndims = 1;
  space.counts = true;
  space.wholes = std::make_shared<std::set<int64_t>>();
  space.wholes->insert(kBlocks);
  const auto received = [](const Context& c) {
    const int64_t own = OwnBlocks(kBlocks, c.ranks(), 0);
    return c.rank == 0 ? kBlocks - own : 0;
  };
  const auto law = FindScalarLaw(SamplesOn(grids, received), space);
  ASSERT_TRUE(law.has_value());
  ExpectAt({{17}}, *law, received);
}

TEST(DealtBlocks, OthersSendTheirs) {
  constexpr int64_t kBlocks = 50;
  const std::vector<Grid> grids = {{{4}}, {{6}}, {{8}}, {{12}}};
  SearchSpace space;
  space.ndims = 1;
  space.counts = true;
  space.wholes = std::make_shared<std::set<int64_t>>();
  const auto sent = [](const Context& c) {
    return c.rank == 0 ? 0 : OwnBlocks(kBlocks, c.ranks(), c.rank);
  };
  const auto law = FindScalarLaw(SamplesOn(grids, sent), space);
  ASSERT_TRUE(law.has_value());
  ExpectAt({{17}}, *law, sent);
}

// 72 columns divide by all rows of ranks, 66 and 20 do not.
TEST(DealtBlocks, WhatPencilsExchangeIsCutAlongASideTwice) {
  const std::vector<Grid> grids = {{{2, 2}}, {{3, 2}}, {{4, 3}}, {{4, 4}}};
  SearchSpace space;
  space.ndims = 2;
  space.wholes = std::make_shared<std::set<int64_t>>();
  const auto count = [](const Context& c) {
    return 72 / c.dim(0) * (66 / c.dim(0) + (c.at[0] < 66 % c.dim(0))) *
           (20 / c.dim(1) + (c.at[1] < 20 % c.dim(1)));
  };
  const auto law = FindScalarLaw(SamplesOn(grids, count), space);
  ASSERT_TRUE(law.has_value());
  ExpectAt({{6, 5}}, *law, count);
}

}  // namespace
}  // namespace ranksight::online_model
