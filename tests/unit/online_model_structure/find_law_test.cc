// Laws found from formulas: each must give the formula at sizes never shown.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "online_model/structure/scalar_law.h"
#include "online_model/structure/sequence_law.h"
#include "tests/unit/online_model_structure/formula_laws.h"

namespace ranksight::online_model {
namespace {

using testing::ExpectHolds;
using testing::Formula;
using testing::GridsOf;
using testing::kSquares;
using testing::LawOf;
using testing::ShapeList;

const ShapeList kHalves{{1, 2}, {2, 2}, {2, 4}, {4, 4}, {4, 8}};

// The same on all ranks of a size.
TEST(FindLaw, WhatFollowsTheSizeOnly) {
  ExpectHolds(
      {{2, 3}, {3, 4}, {4, 5}, {5, 7}, {6, 9}}, {{7, 9}, {10, 10}},
      [](const Context& c) { return c.dim(0) ^ c.dim(1); }, false);
}

// The root between two groups: its group is told who it is by itself.
TEST(FindLaw, RootsBetweenTwoGroups) {
  using Half = std::function<bool(const Context&)>;
  const Half odd = [](const Context& c) { return c.rank % 2 != 0; };
  const Half upper = [](const Context& c) { return 2 * c.rank >= c.ranks(); };
  const auto root = [](const Half& half, const Formula& at) -> Formula {
    return [=](const Context& c) {
      if (half(c)) return at(c);
      return c.rank == at(c) ? reduction::kPeerRoot : reduction::kPeerNull;
    };
  };
  const Formula first = [](const Context&) { return 0; };
  const Formula even_last = [](const Context& c) { return c.ranks() - 2; };
  const Formula lower_last = [](const Context& c) { return c.ranks() / 2 - 1; };
  for (const Formula& at : {first, even_last}) {
    ExpectHolds({{2, 2}, {4, 2}, {8, 2}}, {{16, 2}, {32, 2}}, root(odd, at),
                true);
  }
  for (const Formula& at : {first, lower_last}) {
    ExpectHolds({{2, 2}, {2, 4}, {2, 8}}, {{2, 16}, {2, 32}}, root(upper, at),
                true);
  }
}

TEST(FindLaw, SizesWithoutALawHaveNone) {
  const auto grids = GridsOf({{2, 2}, {4, 2}, {4, 4}, {8, 4}});
  const auto none = LawOf(
      grids,
      [](const Context& c) {
        return 1000 + c.ranks() * c.ranks() * c.ranks() % 77;
      },
      false);
  EXPECT_FALSE(none) << none->ToString();
}

// What rank 0 receives from each of the others in turn, of a whole cut along
// both sides of a grid.
TEST(FindLaw, ListsOverTheOthersFollowTheirPlaces) {
  const auto part = [](int64_t whole, int64_t n, int64_t x) {
    return whole / n + (x < whole % n ? 1 : 0);
  };
  const auto at = [&](const Grid& grid, int64_t rank) {
    const int64_t x = rank / grid.dims[1], y = rank % grid.dims[1];
    return part(103, grid.dims[0], x) * part(57, grid.dims[1], y);
  };
  const auto grids = GridsOf({{2, 2}, {3, 2}, {4, 2}, {3, 3}, {4, 3}});
  for (const int64_t own : {0, 1}) {
    std::vector<Sample> samples;
    const auto add = [&](const Grid& grid, std::vector<Sample>* to) {
      Sample s{Context(grid, 0), 0};
      s.where.length = grid.ranks() - own;
      for (int64_t k = 0; k < s.where.length; ++k) {
        s.where.position = k;
        s.value = at(grid, k + own);
        to->push_back(s);
      }
    };
    for (const Grid& grid : grids) add(grid, &samples);
    SearchSpace space;
    space.ndims = 2;
    space.array = true;
    const auto law = FindScalarLaw(samples, space);
    ASSERT_TRUE(law.has_value());
    for (const Grid& grid : GridsOf({{5, 4}, {6, 6}, {103, 57}})) {
      std::vector<Sample> unseen;
      add(grid, &unseen);
      for (const Sample& s : unseen) {
        ASSERT_EQ(law->At(s.where), s.value) << law->ToString();
      }
    }
  }
}

TEST(FindLaw, PartnerInTheOtherHalf) {
  ExpectHolds(
      kHalves, {{8, 16}, {32, 32}},
      [](const Context& c) { return c.rank ^ (c.ranks() / 2); }, true);
}

TEST(FindLaw, TransposedPlaceWithTwoColumnsForEachRow) {
  ExpectHolds(
      kHalves, {{8, 8}, {8, 16}, {32, 32}},
      [](const Context& c) {
        const int64_t rows = c.dim(0), q = c.dim(1) / rows;
        return q * (c.rank / q % rows * rows + c.rank / q / rows) + c.rank % q;
      },
      true);
}

// As Cannon's product on a square takes back its skew, the last shift left out.
TEST(FindLaw, AsFarAroundARowAsTheRowSaysButForOne) {
  for (const int64_t more : {-1, 0, 1}) {
    ExpectHolds(
        {{2, 2}, {3, 3}, {4, 4}, {5, 5}}, {{6, 6}, {9, 9}},
        [more](const Context& c) {
          const int64_t n = c.dim(1);
          return n * c.at[0] + (c.at[1] + c.at[0] + more + n) % n;
        },
        true);
  }
}

TEST(FindLaw, ThePlaceInARowThatDoesNotDependOnTheOwnOne) {
  // Each rank of a row in turn, three times.
  const auto root = [](const Context& c) {
    return c.at[0] * c.dim(1) + c.position % c.dim(1);
  };
  const auto places = [](const Grid& grid) {
    std::vector<Context> all;
    for (int64_t r = 0; r < grid.ranks(); ++r) {
      Context c(grid, r);
      c.length = 3 * grid.dims[1];
      for (; c.position < c.length; ++c.position) all.push_back(c);
    }
    return all;
  };
  const auto grids = GridsOf(kSquares);
  std::vector<Sample> samples;
  for (const Grid& grid : grids) {
    for (const Context& c : places(grid)) samples.push_back({c, root(c)});
  }
  SearchSpace space;
  space.ndims = 2;
  space.array = space.ranked = true;
  const auto law = FindScalarLaw(samples, space);
  ASSERT_TRUE(law.has_value());
  const Grid larger{{7, 7}};
  for (const Context& c : places(larger)) EXPECT_EQ(law->At(c), root(c));
}

TEST(FindLaw, StagesOfDoublingBetweenPowersOfTwo) {
  ExpectHolds(
      {{3}, {4}, {5}, {6}, {7}, {9}, {11}}, {{12}, {16}, {17}, {100}},
      [](const Context& c) {
        int64_t stages = 0;
        while ((int64_t{1} << stages) < c.ranks()) ++stages;
        return 3 * stages;
      },
      false);
}

TEST(FindLaw, BlocksWithRemainder) {
  ExpectHolds(
      kHalves, {{8, 16}, {16, 16}},
      [](const Context& c) { return 330 * BlockSize(33, c.dim(1), c.at[1]); },
      false);
}

TEST(FindLaw, BlocksWithoutTheirBoundaryPoints) {
  ExpectHolds(
      {{2, 2}, {2, 4}, {3, 5}, {4, 7}}, {{8, 8}, {5, 6}},
      [](const Context& c) {
        return 5 * (BlockSize(33, c.dim(1), c.at[1]) - (c.at[1] == 0) -
                    (c.at[1] == c.dim(1) - 1));
      },
      false);
}

TEST(FindLaw, ProductOfBlocksOfTwoSides) {
  ExpectHolds(
      kHalves, {{8, 16}, {9, 7}},
      [](const Context& c) {
        return 2 * BlockSize(101, c.dim(0), c.at[0]) *
               BlockSize(101, c.dim(1), c.at[1]);
      },
      false);
}

int64_t BlockAlong(const Context& c, int side, int64_t whole) {
  return BlockSize(whole, c.dim(side), c.at[size_t(side)]);
}

const ShapeList kByTwosAndThrees{{2, 2}, {3, 2}, {4, 2}, {4, 3}, {4, 4}};

// A strided face of a mesh whose sides differ, from its first point to its
// last: (n - 1) lines of m points with a halo on both sides.
TEST(FindLaw, BlocksOfDifferentWholesWithHalosOfTheirOwn) {
  ExpectHolds(
      kByTwosAndThrees, {{6, 4}, {6, 6}, {12, 8}},
      [](const Context& c) {
        return 8 * (BlockAlong(c, 0, 121) - 1) * (BlockAlong(c, 1, 101) + 2);
      },
      false);
}

TEST(FindLaw, BlocksBesideASideThatDividesWithAHalo) {
  ExpectHolds(
      {{2, 3}, {3, 3}, {4, 3}, {6, 3}, {6, 4}}, {{8, 5}, {12, 7}},
      [](const Context& c) {
        return (144 / c.dim(0) + 2) * (BlockAlong(c, 1, 100) + 2);
      },
      false);
}

TEST(FindLaw, WholeOverTheSquareIsNotRoundedWhereItDoesNotDivide) {
  const auto grids = GridsOf({{2}, {4}, {8}, {16}});
  const auto law = LawOf(
      grids, [](const Context& c) { return 4096 / (c.ranks() * c.ranks()); },
      false);
  ASSERT_TRUE(law.has_value());
  const Grid larger{{32}}, odd{{48}};
  EXPECT_EQ(law->At(Context(larger, 0)), 4);
  EXPECT_EQ(law->At(Context(odd, 0)), kNotWhole);
}

TEST(FindLaw, BlocksThatDivideAtAllInputsAreNotGivenARemainder) {
  const auto grids = GridsOf({{2}, {4}, {8}});
  const auto law = LawOf(
      grids, [](const Context& c) { return BlockSize(1400, c.dim(0), 0); },
      false);
  ASSERT_TRUE(law.has_value());
  const Grid divides{{28}}, leaves{{16}};
  EXPECT_EQ(law->At(Context(divides, 0)), 50);
  EXPECT_EQ(law->At(Context(leaves, 0)), kNotWhole);
}

TEST(FindLaw, ProductsOfBlocksThatDivideAtAllInputsHaveNoRemainder) {
  const auto grids =
      GridsOf({{1, 2}, {2, 2}, {2, 4}, {4, 4}, {4, 8}, {8, 8}, {8, 16}});
  const auto law = LawOf(
      grids,
      [](const Context& c) {
        return (BlockSize(96, c.dim(0), 0) + 2) *
               (BlockSize(160, c.dim(1), 0) + 2);
      },
      false);
  ASSERT_TRUE(law.has_value());
  const Grid leaves{{5, 64}};
  EXPECT_EQ(law->At(Context(leaves, 0)), kNotWhole);
}

// Sizes of all cells of a rank of a multipartition, in one direction's faces
// that are not at the low end of it.
int64_t Faces(const Context& c, int64_t whole) {
  const int64_t q = c.dim(0);
  int64_t sum = 0;
  for (int64_t cell = 0; cell < q; ++cell) {
    if ((c.at[1] + cell) % q == 0) continue;
    sum += BlockSize(whole, q, (c.at[0] - cell + q) % q) *
           BlockSize(whole, q, cell);
  }
  return 10 * sum;
}

TEST(FindLaw, FacesOfMultipartitionCells) {
  ExpectHolds(
      kSquares, {{6, 6}, {7, 7}, {11, 11}},
      [](const Context& c) { return Faces(c, 24); }, false);
}

TEST(FindLaw, StagesOfAnExchangeFollowTheirPlace) {
  const auto grids = GridsOf(kHalves);
  std::vector<RankPattern> peers;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      Pattern p;
      for (int64_t k = 1; k < g.dims[1]; k *= 2) p.period.push_back(r ^ k);
      peers.push_back({Context(g, r), std::move(p), {}, {}});
    }
  }
  SearchSpace space;
  space.ndims = 2;
  space.ranked = true;
  const auto law = FindSequenceLaw(peers, space, nullptr);
  ASSERT_TRUE(law.has_value());
  EXPECT_TRUE(law->UsesBits());
  const Grid target{{16, 32}};
  EXPECT_EQ(law->At(Context(target, 77), {}).period,
            (std::vector<int64_t>{76, 79, 73, 69, 93}));
}

TEST(FindLaw, OneRankAloneIsASizeOfItsOwn) {
  ExpectHolds(
      {{1}, {2}, {3}, {4}}, {{8}, {100}},
      [](const Context& c) { return c.ranks() == 1 ? 0 : 5; }, false);
}

// log2 of a side is 0, 1 and 1 there.
TEST(FindLaw, OneRankAloneDoesNotMakeALogarithmOfASide) {
  ExpectHolds(
      {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, {{4, 4, 4}, {9, 9, 9}},
      [](const Context& c) { return c.ranks() == 1 ? 0 : 1; }, false);
}

// 3, 4, 4 and 4 are ceil(log2(N)) + 1, and may be the 4 of all but the
// smallest.
TEST(FindLaw, OneStepIsNoLogarithm) {
  for (const ShapeList& shapes :
       {ShapeList{{4}, {5}, {6}, {7}}, ShapeList{{3}, {4}, {6}, {7}}}) {
    const auto law = LawOf(
        GridsOf(shapes),
        [&](const Context& c) { return c.ranks() == shapes[0][0] ? 3 : 4; },
        false);
    const Grid larger{{64}};
    EXPECT_TRUE(!law || law->At(Context(larger, 0)) == 4) << law->ToString();
  }
}

TEST(FindLaw, BlocksOfAPowerOfTwoSeenOnSuchSidesOnly) {
  const auto inner = [](const Context& c) {
    const int64_t n = c.dim(0), x = c.at[0];
    return 5 * (BlockSize(64, n, x) - (x == 0) - (x == n - 1));
  };
  ExpectHolds({{1, 2}, {2, 2}, {2, 4}, {4, 4}, {4, 8}},
              {{8, 8}, {8, 16}, {16, 16}}, inner, false);
}

TEST(FindLaw, SharesOfAWholeThatDoesNotDivide) {
  const auto block = [](const Context& c) {
    return 4'000'000 / (c.ranks() * c.ranks()) + 1;
  };
  ExpectHolds({{4}, {8}, {16}, {32}}, {{64}, {100}, {777}, {1024}}, block,
              false);
}

// 32 points over two and three, and two more, are 18 and 12, as 36 over them
// are. Another law has shared out the 32.
TEST(FindLaw, EqualSharesAreAKnownWholeWithAHalo) {
  std::vector<Sample> samples;
  const std::vector<Grid> grids = {{{2, 2}}, {{3, 2}}, {{4, 2}}, {{4, 3}}};
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      samples.push_back({c, 32 / c.dim(1) + 2});
    }
  }
  const Grid target{{4, 4}};
  SearchSpace space;
  space.ndims = 2;
  space.certain = false;
  EXPECT_EQ(FindScalarLaw(samples, space)->At(Context(target, 0)), 36 / 4);
  space.wholes = std::make_shared<std::set<int64_t>>();
  space.wholes->insert(32);
  EXPECT_EQ(FindScalarLaw(samples, space)->At(Context(target, 0)), 32 / 4 + 2);
}

TEST(FindLaw, SharesHaveNoValueWhereTheWholeIsNotKnownWellEnough) {
  const auto grids = GridsOf({{96}, {100}, {120}, {127}});
  const auto law = LawOf(
      grids, [](const Context& c) { return 123'457 / c.ranks(); }, false);
  ASSERT_TRUE(law.has_value());
  const auto at = [&law](int64_t ranks) {
    const Grid grid{{ranks}};
    return law->At(Context(grid, 0));
  };
  // Each whole that gives these four gives 964 elements on 128 ranks.
  EXPECT_EQ(at(128), 123'457 / 128);
  EXPECT_EQ(at(2), kNotWhole);
}

// Sides kept as flags say, though one of them is the same in all runs.
TEST(FindSidesKept, AreThoseOfThePartAlone) {
  const std::vector<Grid> runs{{{2, 2, 2}}, {{3, 2, 2}}, {{4, 3, 2}}};
  const auto sizes = [&](const std::vector<int64_t>& flags) {
    std::vector<RankPattern> patterns;
    for (const Grid& g : runs) {
      int64_t ranks = 1;
      for (size_t d = 0; d < 3; ++d) ranks *= flags[d] ? g.dims[d] : 1;
      for (int64_t r = 0; r < g.ranks(); ++r) {
        patterns.push_back({Context(g, r), {{}, {ranks}}, {}, {}});
      }
    }
    return patterns;
  };
  const auto law_of = [](const std::vector<int64_t>& flags) {
    SequenceLaw law;
    for (const int64_t flag : flags) {
      law.values.emplace_back();
      law.values.back().constant = flag;
    }
    return law;
  };
  const Grid target{{5, 4, 3}};
  const auto at = [&](const SequenceLaw& law) {
    return law.At(Context(target, 7), {}, {}).period;
  };
  auto found = FindSidesKept(sizes({0, 1, 1}), law_of({0, 1, 1}), 3);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(at(*found), std::vector<int64_t>{12});
  found = FindSidesKept(sizes({1, 1, 1}), law_of({1}), 3);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(at(*found), std::vector<int64_t>{60});
  // Of another grid, of none, and of flags that are no numbers.
  EXPECT_FALSE(FindSidesKept(sizes({1, 0, 0}), law_of({0, 1, 1}), 3));
  EXPECT_FALSE(FindSidesKept(sizes({0, 0, 0}), law_of({0}), 3));
  EXPECT_FALSE(FindSidesKept(sizes({0, 1, 1}), law_of({0, 1}), 3));
  SequenceLaw ranks = law_of({0});
  ranks.values[0].terms = {{1, {Feature::Kind::kRank, 0, nullptr}}};
  EXPECT_FALSE(FindSidesKept(sizes({0, 0, 1}), ranks, 3));
}

}  // namespace
}  // namespace ranksight::online_model
