// Laws that are like others, against the formulas of programs at a size never
// shown.
#include "online_model/structure/find_sibling.h"

#include <gtest/gtest.h>

#include <vector>

#include "online_model/structure/scalar_law.h"
#include "tests/unit/online_model_structure/formula_laws.h"

namespace ranksight::online_model {
namespace {

using testing::BeginsOf;
using testing::Formula;
using testing::SamplesOn;

TEST(SiblingLaws, AFaceThatFewRunsShowIsLikeTheOthers) {
  const auto face = [](int a, int b, int64_t scale) -> Formula {
    return [=](const Context& c) {
      return scale * (24 / c.dim(a) + 5) * (24 / c.dim(b) + 5);
    };
  };
  const std::vector<Grid> grids = {
      {{2, 2, 2}}, {{3, 2, 2}}, {{3, 3, 2}}, {{4, 3, 2}}, {{4, 3, 3}}};
  SearchSpace space;
  space.ndims = 3;
  space.certain = true;
  SiblingLaws laws;
  laws.Add(*FindScalarLaw(SamplesOn(grids, face(0, 1, 24)), space), 3);
  const std::vector<Grid> few = {{{2, 2, 2}}, {{4, 3, 2}}};
  const Grid target{{6, 4, 4}};
  // Other sides, another number of fields.
  const auto like = laws.Find(SamplesOn(few, face(1, 2, 5)));
  ASSERT_TRUE(like != nullptr);
  EXPECT_EQ(like->At(Context(target, 0)), 5 * (24 / 4 + 5) * (24 / 4 + 5));
  // One number may be any constant's.
  const std::vector<Grid> one = {{{2, 2, 2}}, {{3, 2, 2}}};
  EXPECT_TRUE(laws.Find(SamplesOn(one, face(1, 2, 5))) == nullptr);
  // Not like any.
  EXPECT_TRUE(laws.Find(SamplesOn(grids, [](const Context& c) {
    return 1000 + c.dim(0) * c.dim(2);
  })) == nullptr);
}

// Around one block there are two points of a halo, and so around the other, of
// which each run's ranks have as many.
TEST(SiblingLaws, ABlockWithAHaloIsLikeTheOtherWithItsHalo) {
  const std::vector<Grid> grids = {{{2, 2}}, {{3, 2}}, {{4, 3}}, {{4, 4}}};
  SearchSpace space;
  space.ndims = 2;
  SiblingLaws laws;
  laws.Add(*FindScalarLaw(SamplesOn(grids,
                                    [](const Context& c) {
                                      const int64_t over =
                                          c.at[0] < 130 % c.dim(0);
                                      return 130 / c.dim(0) + over + 2;
                                    }),
                          space),
           2);
  const auto rows = [](const Context& c) { return 96 / c.dim(1) + 2; };
  const auto like = laws.Find(SamplesOn(grids, rows));
  ASSERT_TRUE(like != nullptr);
  const Grid target{{6, 8}};
  EXPECT_EQ(like->At(Context(target, 7)), 96 / 8 + 2) << like->ToString();
  // Another halo is not like it.
  EXPECT_EQ(laws.Find(SamplesOn(
                grids, [](const Context& c) { return 96 / c.dim(1) + 3; })),
            nullptr);
}

// Three numbers a point, on columns with their halo; rows of four numbers that
// are cut another way.
TEST(SiblingLaws, ABlockWithAHaloIsLikeSoManyTimesTheOther) {
  const std::vector<Grid> grids = {{{2, 2}}, {{3, 2}}, {{4, 2}}, {{4, 3}}};
  const Grid target{{6, 6}};
  SearchSpace space;
  space.ndims = 2;
  for (const int cut : {0, 2}) {
    for (const int64_t times : {3, 4}) {
      const auto columns = [&](const Context& c) {
        const auto all = BeginsOf(cut, 130, c.dim(0));
        const auto x = size_t(c.at[0]);
        return times * (all[x + 1] - all[x] + 4);
      };
      SiblingLaws laws;
      laws.Add(*FindScalarLaw(SamplesOn(grids, columns), space), 2);
      const auto rows = [](const Context& c) { return 96 / c.dim(1) + 4; };
      const auto like = laws.Find(SamplesOn(grids, rows));
      ASSERT_TRUE(like != nullptr) << cut << times;
      EXPECT_EQ(like->At(Context(target, 7)), 96 / 6 + 4) << like->ToString();
      const auto as_many = laws.Find(
          SamplesOn(grids, [&](const Context& c) { return times * rows(c); }));
      ASSERT_TRUE(as_many != nullptr) << cut << times;
      EXPECT_EQ(as_many->At(Context(target, 7)), times * (96 / 6 + 4));
    }
  }
}

TEST(SiblingLaws, ABlockOfWhichEachRunIsDividedIsABlockLikeTheOthers) {
  const std::vector<Grid> grids = {{{3, 2}}, {{3, 3}}, {{4, 3}}, {{6, 3}}};
  const auto block = [](int64_t whole, int side) -> Formula {
    return [=](const Context& c) {
      return BlockSize(whole, c.dim(side), c.at[size_t(side)]);
    };
  };
  SearchSpace space;
  space.ndims = 2;
  space.certain = true;
  SiblingLaws laws;
  laws.Add(*FindScalarLaw(SamplesOn(grids, block(64, 0)), space), 2);
  const auto like = laws.Find(SamplesOn(grids, block(120, 1)));
  ASSERT_TRUE(like != nullptr);
  const Grid target{{8, 7}};
  for (int64_t r = 0; r < target.ranks(); ++r) {
    const Context c(target, r);
    EXPECT_EQ(like->At(c), block(120, 1)(c)) << r;
  }
  // Sums that differ from run to run are of no whole.
  EXPECT_TRUE(laws.Find(SamplesOn(grids, [](const Context& c) {
    return 100 - 10 * c.dim(1);
  })) == nullptr);
  // One length of a side shows no whole.
  EXPECT_TRUE(laws.Find(SamplesOn(std::vector<Grid>{{{3, 3}}, {{4, 3}}},
                                  block(120, 1))) == nullptr);
}

}  // namespace
}  // namespace ranksight::online_model
