// Parts of the sides of a mesh that the program says, against the shares that
// programs cut it into.
#include "online_model/structure/find_part_of_number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "online_model/structure/cut_whole.h"
#include "online_model/structure/evidence.h"
#include "tests/unit/online_model_structure/formula_laws.h"

namespace ranksight::online_model {
namespace {

using testing::Formula;
using testing::GridsOf;
using testing::SamplesOn;

// The first ranks along the side have one more each.
Formula ShareOf(int64_t whole, int side) {
  return [whole, side](const Context& c) {
    const int64_t parts = c.dim(side);
    return whole / parts + (c.at[size_t(side)] < whole % parts ? 1 : 0);
  };
}

Formula FirstOf(int64_t whole, int side) {
  return [whole, side](const Context& c) {
    const int64_t parts = c.dim(side), x = c.at[size_t(side)];
    return x * (whole / parts) + std::min(x, whole % parts);
  };
}

SearchSpace SpaceOfMesh(std::initializer_list<int64_t> sides) {
  SearchSpace space;
  space.ndims = int(sides.size());
  space.certain = true;
  space.said = std::make_shared<SaidParts>();
  space.cuts = std::make_shared<CutsSeen>();
  for (const int64_t n : sides) {
    space.said->AddNumber(n);
    space.cuts->AddSide(n);
  }
  return space;
}

void ExpectGives(const std::optional<ScalarLaw>& law, const Formula& f,
                 const Grid& target) {
  ASSERT_TRUE(law.has_value());
  const std::vector<Grid> grids = {target};
  for (const Sample& s : SamplesOn(grids, f)) {
    EXPECT_EQ(law->At(s.where), s.value) << law->ToString();
  }
}

// Two lengths of a side say little, but for the number that is cut there.
TEST(FindPartOfNumber, OfASideOfTwoLengths) {
  const auto grids = GridsOf({{2, 2}, {4, 2}, {4, 4}, {8, 4}});
  const Formula f = ShareOf(48, 1);
  const SearchSpace space = SpaceOfMesh({64, 48});
  ExpectGives(FindPartOfNumber(SamplesOn(grids, f), space), f, {{8, 8}});
  SearchSpace unsaid = SpaceOfMesh({});
  unsaid.ndims = 2;
  EXPECT_FALSE(FindScalarLaw(SamplesOn(grids, f), unsaid));
}

// All runs divide 60: what is left of it goes where what is left of 101 does,
// and not along the side that cuts this.
TEST(FindPartOfNumber, LeavesARemainderWhereTheOtherSideDoes) {
  const auto grids = GridsOf({{2, 2}, {3, 3}, {4, 4}, {5, 5}});
  const SearchSpace space = SpaceOfMesh({101, 60});
  const Grid target{{9, 9}};
  for (const auto& f_of : {&ShareOf, &FirstOf}) {
    for (const auto& [whole, side] :
         {std::pair<int64_t, int>{101, 0}, std::pair<int64_t, int>{60, 1}}) {
      const Formula f = f_of(whole, side);
      ExpectGives(FindPartOfNumber(SamplesOn(grids, f), space), f, target);
    }
  }
}

// Without the other, nothing says where it goes.
TEST(FindPartOfNumber, SaysNothingOfARemainderThatNoRunHas) {
  const auto grids = GridsOf({{2}, {3}, {4}, {5}});
  const auto law =
      FindPartOfNumber(SamplesOn(grids, ShareOf(60, 0)), SpaceOfMesh({60}));
  ASSERT_TRUE(law.has_value());
  const Grid even{{6}}, odd{{7}};
  EXPECT_EQ(law->At(Context(even, 3)), 10);
  EXPECT_EQ(law->At(Context(odd, 3)), kNotWhole);
}

}  // namespace
}  // namespace ranksight::online_model
