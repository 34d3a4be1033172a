// Few numbers fit many laws: found are those that the formula is, or none.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "online_model/structure/scalar_law.h"
#include "tests/unit/online_model_structure/formula_laws.h"

namespace ranksight::online_model {
namespace {

using testing::ExpectHolds;
using testing::Formula;
using testing::GridsOf;
using testing::kSquares;
using testing::LawOf;
using testing::ShapeList;

struct Found {
  int right = 0, none = 0;
};

// Looks for the law of a share of the size, and at sizes never shown counts
// right values and none. Shares that all divide are other tests' (the law
// then says no more than that).
Found TryShare(const std::vector<Grid>& grids, const Formula& share,
               int64_t add) {
  Found found;
  std::set<int64_t> wholes;
  for (const Grid& g : grids) {
    const Context at(g, 0);
    wholes.insert((share(at) - add) * at.dim(0));
  }
  if (wholes.size() == 1) return found;
  const auto law = LawOf(grids, share, false);
  for (const int64_t parts : {8, 9, 10, 13}) {
    const Grid grid{{parts, parts}};
    const Context at(grid, 0);
    const int64_t value = law ? law->At(at) : kNotWhole;
    ++(value == kNotWhole ? found.none : found.right);
    if (value == kNotWhole) continue;
    EXPECT_EQ(value, share(at)) << parts << ": " << law->ToString();
  }
  return found;
}

// Of a side shared out by integer division, rounded down or up, some values of
// each point and a halo: a few sizes fit other laws as well, and one that is
// wrong must not be taken.
Found TryShares(const std::vector<Grid>& grids) {
  Found all;
  for (int64_t side = 97; side < 1100; side += 41) {
    for (const int64_t factor : {1, 3, 8}) {
      for (const int64_t add : {0, 2}) {
        for (const bool up : {false, true}) {
          const auto share = [=](const Context& c) {
            const int64_t d = c.dim(0);
            return factor * ((side + (up ? d - 1 : 0)) / d) + add;
          };
          SCOPED_TRACE(::testing::Message()
                       << factor << " * " << side << " + " << add << ' ' << up);
          const Found found = TryShare(grids, share, add);
          all.right += found.right;
          all.none += found.none;
        }
      }
    }
  }
  return all;
}

TEST(FindLaw, SharesOfASideAtFourSizesAreRightOrHaveNone) {
  const Found found = TryShares(GridsOf(kSquares));
  EXPECT_GT(found.right, found.none / 3) << found.none;
}

TEST(FindLaw, SharesOfASideAtSixSizesAreRightAndSeldomHaveNone) {
  const Found found =
      TryShares(GridsOf({{2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}}));
  EXPECT_GT(found.right, found.none) << found.none;
}

// Some law of those that are looked for gives each of these, by chance.
TEST(FindLaw, FewSmallNumbersOfOtherLawsHaveNone) {
  const ShapeList line{{3}, {4}, {5}, {6}, {7}, {9}};
  const ShapeList grid{{3, 1}, {2, 2}, {5, 1}, {3, 2}, {7, 1}, {3, 3}};
  const ShapeList halves{{2}, {4}, {8}, {16}};
  const std::vector<std::tuple<const char*, ShapeList, Formula>> accidents = {
      {"bits of N", line,
       [](const Context& c) {
         return int64_t(std::popcount(uint64_t(c.ranks())));
       }},
      {"bits of N", grid,
       [](const Context& c) {
         return int64_t(std::popcount(uint64_t(c.ranks())));
       }},
      {"2^(N mod 3)", line,
       [](const Context& c) { return int64_t{1} << c.ranks() % 3; }},
      {"2^(N mod 3)", grid,
       [](const Context& c) { return int64_t{1} << c.ranks() % 3; }},
      {"no less than 5",
       {{4}, {5}, {6}, {7}, {8}},
       [](const Context& c) { return std::max<int64_t>(c.ranks(), 5); }},
      {"0.3 N",
       {{2, 1}, {3, 1}, {2, 2}, {3, 2}},
       [](const Context& c) { return 3 * c.ranks() / 10; }},
      {"N mod 4", halves, [](const Context& c) { return c.ranks() % 4; }},
      {"gcd(N, 12)", halves,
       [](const Context& c) { return std::gcd(c.ranks(), int64_t{12}); }},
  };
  for (const auto& [name, shapes, formula] : accidents) {
    const auto law = LawOf(GridsOf(shapes), formula, false);
    EXPECT_FALSE(law.has_value()) << name << ": " << law->ToString();
  }
}

TEST(FindLaw, ShortLawsNeedFewNumbers) {
  const auto sides = [](int d) {
    return [d](const Context& c) { return c.dim(d); };
  };
  const ShapeList grids{{2, 2}, {4, 2}, {4, 4}};
  for (const int d : {0, 1}) {
    ExpectHolds(grids, {{8, 4}, {8, 8}}, sides(d), false);
  }
  const Formula log2 = [](const Context& c) {
    return int64_t(std::bit_width(uint64_t(c.ranks()))) - 1;
  };
  ExpectHolds({{2}, {4}, {8}}, {{16}, {64}}, log2, false);
  ExpectHolds({{4}, {8}, {16}}, {{32}, {64}}, log2, false);
  ExpectHolds(
      {{2, 1}, {2, 2}, {4, 2}, {4, 4}}, {{8, 4}, {8, 8}},
      [](const Context& c) {
        return int64_t(std::bit_width(uint64_t(c.dim(0)))) - 1;
      },
      false);
  // What only the smallest run did, and what a law says twice.
  ExpectHolds(
      {{2}, {4}, {8}}, {{16}, {64}},
      [](const Context& c) { return c.ranks() == 2 && c.rank == 1; }, false);
  ExpectHolds(
      {{2, 2}, {4, 2}, {4, 4}, {8, 4}, {8, 8}, {16, 8}}, {{16, 16}},
      [](const Context& c) {
        const int64_t side = std::max<int64_t>(1, 32 / c.dim(0));
        return 2 * (side + 2) * (side + 2);
      },
      false);
  // Two sides only: what it is times one of them needs no more.
  ExpectHolds(
      {{2, 2}, {3, 2}, {3, 3}, {4, 3}}, {{5, 4}},
      [](const Context& c) { return 3 * c.dim(1); }, false);
}

// The fold of a tripolar ocean grid: who is its own partner calls nothing,
// which the only run with an odd number of columns shows.
TEST(FindLaw, WhatOneRunAloneShowsHasNone) {
  const auto grids = GridsOf({{2, 2}, {2, 3}, {2, 4}, {3, 4}, {4, 4}});
  SearchSpace space;
  space.ndims = 2;
  space.counts = space.certain = true;
  const auto law =
      FindScalarLaw(testing::SamplesOn(grids,
                                       [](const Context& c) {
                                         return c.at[0] == c.dim(0) - 1 &&
                                                2 * c.at[1] != c.dim(1) - 1;
                                       }),
                    space);
  EXPECT_FALSE(law.has_value()) << law->ToString();
}

// On grids whose second side is four, of the smallest run two, a rank modulo
// four is a way along the first side as well.
TEST(FindLaw, ARankOfFourIsNoWayAlongASide) {
  ExpectHolds(
      {{2, 2}, {2, 4}, {3, 4}, {4, 4}}, {{4, 6}, {6, 4}, {5, 3}},
      [](const Context& c) { return c.rank % 4; }, true);
}

TEST(FindLaw, RandomNumbersHaveNone) {
  const auto grids = GridsOf({{4}, {6}, {8}, {12}});
  uint64_t state = 7;
  const auto law = LawOf(
      grids,
      [&state](const Context& c) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return int64_t(state >> 33) % c.ranks();
      },
      true);
  EXPECT_FALSE(law.has_value()) << law->ToString();
}

}  // namespace
}  // namespace ranksight::online_model
