// Laws of lists and places that are put together from laws of fewer variables,
// found at few grids, against the formula at other grids.
#include "online_model/structure/find_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "online_model/structure/evidence.h"
#include "online_model/structure/find_sparse.h"
#include "online_model/structure/find_there.h"
#include "online_model/structure/find_window.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {
namespace {

using Length = std::function<int64_t(const Grid&)>;
using Value = std::function<int64_t(const Context&)>;

const std::vector<Grid> kGrids = {{{2, 2}}, {{3, 2}}, {{4, 3}}, {{5, 4}}};
const std::vector<Grid> kUnseen = {{{4, 4}}, {{6, 3}}, {{8, 4}}};

// Of each rank, at each place of its list; with no length at no place.
std::vector<Sample> SamplesOf(const std::vector<Grid>& grids,
                              const Length& length, const Value& value) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      Context at(g, r);
      at.length = length(g);
      for (; at.position < std::max<int64_t>(at.length, 1); ++at.position) {
        samples.push_back({at, value(at)});
      }
    }
  }
  return samples;
}

SearchSpace SpaceOf(bool array) {
  SearchSpace space;
  space.ndims = 2;
  space.array = array;
  space.certain = true;
  space.said = std::make_shared<SaidParts>();
  return space;
}

void ExpectEverywhere(const ExpressionPtr& law, const Length& length,
                      const Value& value) {
  ASSERT_NE(law, nullptr);
  for (const Sample& s : SamplesOf(kUnseen, length, value)) {
    ASSERT_EQ(law->At(s.where), s.value)
        << law->ToString() << " on rank " << s.where.rank << " of "
        << s.where.ranks() << " at " << s.where.position;
  }
}

const Length kNone = [](const Grid&) { return int64_t{0}; };
const Length kRanks = [](const Grid& g) { return g.ranks(); };

TEST(FindSumOverSides, IsWhereTheBlockOfARankBeginsInAFile) {
  // Rows of 120 doubles behind a header.
  const Value begin = [](const Context& c) {
    return 8 +
           8 * (120 * (120 / c.dim(0)) * c.at[0] + 120 / c.dim(1) * c.at[1]);
  };
  ExpectEverywhere(
      FindSumOverSides(SamplesOf(kGrids, kNone, begin), SpaceOf(false)), kNone,
      begin);
}

TEST(FindSumOverSides, MayBeCountedFromTheEndOfASide) {
  const Value begin = [](const Context& c) {
    return c.dim(1) * (121 - 120 / c.dim(0) * (c.at[0] + 1)) + c.at[1];
  };
  ExpectEverywhere(
      FindSumOverSides(SamplesOf(kGrids, kNone, begin), SpaceOf(false)), kNone,
      begin);
}

TEST(FindSumOverSides, IsNoneOfWhatSidesDoTogether) {
  const Value product = [](const Context& c) {
    return 7 * c.at[0] * c.at[1] + c.at[0] + c.at[1];
  };
  EXPECT_EQ(FindSumOverSides(SamplesOf(kGrids, kNone, product), SpaceOf(false)),
            nullptr);
}

TEST(FindProgression, GoesThroughAColumnRowByRow) {
  const Length rows = [](const Grid& g) { return 120 / g.dims[0]; };
  const Value offset = [](const Context& c) {
    return (c.position + 1) * (120 / c.dim(1) + 2);
  };
  SearchSpace space = SpaceOf(true);
  space.certain = false;  // which lengths rows have, three numbers do not say
  ExpectEverywhere(FindProgression(SamplesOf(kGrids, rows, offset), space),
                   rows, offset);
}

TEST(FindProgression, NeedsMoreThanTwoPlaces) {
  const Length two = [](const Grid&) { return int64_t{2}; };
  const Value any = [](const Context& c) { return 40 + 9 * c.position; };
  EXPECT_EQ(FindProgression(SamplesOf(kGrids, two, any), SpaceOf(true)),
            nullptr);
}

TEST(FindWindow, IsTheTurnOfARankToWriteARowOfItsBlock) {
  const Length parts = [](const Grid& g) { return 121 * g.dims[1]; };
  const Value writes = [](const Context& c) -> int64_t {
    const int64_t row = 120 - c.position / c.dim(1), rows = 120 / c.dim(0);
    return c.position % c.dim(1) == c.at[1] && row >= rows * c.at[0] &&
           row < rows * (c.at[0] + 1);
  };
  ExpectEverywhere(FindWindow(SamplesOf(kGrids, parts, writes), SpaceOf(true)),
                   parts, writes);
}

TEST(FindWindow, IsNoneOfIterationsThatAreNotEquallyFarApart) {
  const Length ten = [](const Grid&) { return int64_t{10}; };
  const Value some = [](const Context& c) -> int64_t {
    return c.position == 1 || c.position == 2 || c.position == 5;
  };
  EXPECT_EQ(FindWindow(SamplesOf(kGrids, ten, some), SpaceOf(true)), nullptr);
}

TEST(FindSparse, IsWhatNeighboursGetInACollectiveOfAll) {
  const Value counts = [](const Context& c) -> int64_t {
    const Coordinates to = c.grid->At(c.position);
    const int64_t x = to[0] - c.at[0], y = to[1] - c.at[1];
    if (x * x + y * y != 1) return 0;
    return x != 0 ? 120 / c.dim(1) : 120 / c.dim(0);
  };
  ExpectEverywhere(FindSparse(SamplesOf(kGrids, kRanks, counts), SpaceOf(true)),
                   kRanks, counts);
}

TEST(FindSparse, GoesAroundASideThatIsARing) {
  const Value counts = [](const Context& c) -> int64_t {
    const Coordinates to = c.grid->At(c.position);
    const int64_t n = c.dim(0), x = (to[0] - c.at[0] + n) % n;
    return to[1] == c.at[1] && (x == 1 || x == n - 1) ? 40 : 0;
  };
  const std::vector<Grid> grids = {{{3, 3}}, {{4, 3}}, {{6, 4}}};
  ExpectEverywhere(FindSparse(SamplesOf(grids, kRanks, counts), SpaceOf(true)),
                   kRanks, counts);
}

TEST(FindThere, HasSeveralPlacesForEachRank) {
  // The block of each other rank: its sides.
  const Length others = [](const Grid& g) { return 2 * (g.ranks() - 1); };
  const Value side = [](const Context& c) {
    const int64_t of = c.position / 2;
    const Context there(*c.grid, of + (of >= c.rank));
    return c.position % 2 == 0 ? 120 / c.dim(0) : 100 + 7 * there.at[1];
  };
  std::vector<Sample> of_root;
  for (const Sample& s : SamplesOf(kGrids, others, side)) {
    if (s.where.rank == 0) of_root.push_back(s);
  }
  const auto law = FindThere(of_root, SpaceOf(true), 2);
  ASSERT_TRUE(law.has_value());
  for (const Sample& s : SamplesOf(kUnseen, others, side)) {
    ASSERT_EQ(law->At(s.where), s.value) << law->ToString();
  }
  EXPECT_EQ(PlacesThere(*law).size(), 2u);
}

}  // namespace
}  // namespace ranksight::online_model
