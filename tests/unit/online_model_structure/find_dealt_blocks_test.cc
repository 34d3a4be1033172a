// Blocks dealt to ranks in turn, that rank 0 collects, and parts of a cube that
// go from pencil to pencil, against the counts that programs work out.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "online_model/structure/evidence.h"
#include "online_model/structure/find_parts.h"
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

// What the others take shows how many blocks there are, and then what rank 0
// gives away.
TEST(DealtBlocks, WhatOthersTakeTellsHowManyThereAre) {
  constexpr int64_t kBlocks = 21;
  const std::vector<Grid> grids = {{{8}}, {{12}}, {{18}}, {{24}}, {{36}}};
  SearchSpace space;
  space.ndims = 1;
  space.counts = true;
  space.said = std::make_shared<SaidParts>();
  space.wholes = std::make_shared<std::set<int64_t>>();
  const auto given = [](const Context& c) {
    return c.rank == 0 ? kBlocks - OwnBlocks(kBlocks, c.ranks(), 0) : 0;
  };
  const auto taken = [](const Context& c) {
    return c.rank == 0 ? 0 : OwnBlocks(kBlocks, c.ranks(), c.rank);
  };
  EXPECT_FALSE(FindAllButFirst(SamplesOn(grids, given), space));
  EXPECT_TRUE(MayBeAllButFirst(SamplesOn(grids, given)));
  EXPECT_FALSE(MayBeAllButFirst(SamplesOn(grids, taken)));
  ASSERT_TRUE(FindScalarLaw(SamplesOn(grids, taken), space).has_value());
  EXPECT_EQ(*space.wholes, std::set<int64_t>{kBlocks});
  const auto law = FindScalarLaw(SamplesOn(grids, given), space);
  ASSERT_TRUE(law.has_value());
  ExpectAt({{17}}, *law, given);
}

// On 8, 12 and 18 ranks rank 0 keeps 2, 2 and 1 of 13 blocks, or 1, 1 and none
// of 12 where it gets less than the others.
TEST(DealtBlocks, TwoSumsDoNotTellWhichOfTwoWholesItIs) {
  SearchSpace space;
  space.ndims = 1;
  space.counts = true;
  space.wholes = std::make_shared<std::set<int64_t>>();
  const std::vector<Grid> grids = {{{8}}, {{12}}, {{18}}};
  const auto samples = SamplesOn(
      grids, [](const Context& c) { return c.ranks() == 18 ? 12 : 11; });
  space.wholes->insert(13);
  EXPECT_TRUE(FindAllButFirst(samples, space));
  space.wholes->insert(12);
  EXPECT_FALSE(FindAllButFirst(samples, space));
}

// Each block has its number for a tag.
TEST(DealtBlocks, RankZeroNamesAllButItsOwn) {
  constexpr int64_t kBlocks = 40;
  const auto list = [](const Grid& grid) {
    std::vector<int64_t> tags;
    for (int64_t b = 0; b < kBlocks; ++b) {
      if (b % grid.ranks() != 0) tags.push_back(7 + 3 * b);
    }
    std::vector<Sample> samples;
    Context c(grid, 0);
    c.length = int64_t(tags.size());
    for (size_t k = 0; k < tags.size(); ++k) {
      c.position = int64_t(k);
      samples.push_back({c, tags[k]});
    }
    return samples;
  };
  const std::vector<Grid> grids = {{{4}}, {{6}}, {{9}}};
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (const Sample& s : list(g)) samples.push_back(s);
  }
  SearchSpace space;
  space.ndims = 1;
  space.array = true;
  const auto law = FindScalarLaw(samples, space);
  ASSERT_TRUE(law.has_value());
  const Grid target{{13}};
  for (const Sample& s : list(target)) {
    EXPECT_EQ(law->At(s.where), s.value) << law->ToString();
  }
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
