// Laws of parts of a whole, of groups and of lists of rows: each must give the
// program's own formula at a size never shown.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "online_model/structure/cut_whole.h"
#include "online_model/structure/evidence.h"
#include "online_model/structure/find_parts.h"
#include "online_model/structure/scalar_law.h"
#include "online_model/structure/sequence_law.h"
#include "tests/unit/online_model_structure/formula_laws.h"

namespace ranksight::online_model {
namespace {

using testing::BeginsOf;
using testing::Formula;
using testing::SamplesOn;

// Rank 0 keeps its part and sends the others theirs: they follow the cut of
// all.
TEST(FindPartLaw, PartsOfWhichTheFirstIsNotSeen) {
  const std::vector<Grid> grids = {{{4}}, {{6}}, {{9}}, {{12}}};
  const Grid target{{37}};
  for (const int cut : {0, 1, 2, 3, 4, 6, 7}) {
    const auto value = [&](const Context& c) {
      const auto all = BeginsOf(cut, 1003, c.ranks());
      return 8 * (all[size_t(c.rank) + 1] - all[size_t(c.rank)]);
    };
    std::vector<Sample> samples;
    for (const Grid& g : grids) {
      for (int64_t r = 1; r < g.ranks(); ++r) {
        const Context c(g, r);
        samples.push_back({c, value(c)});
      }
    }
    const auto law = FindScalarLaw(samples, SearchSpace());
    ASSERT_TRUE(law.has_value()) << cut;
    for (int64_t r = 1; r < target.ranks(); ++r) {
      const Context c(target, r);
      EXPECT_EQ(law->At(c), value(c)) << law->ToString() << " at " << r;
    }
  }
}

// Arrays have room for what neighbours send: on both sides of all, or none at
// the ends, where there is no neighbour. Programs write the latter as
// min(whole, end + 4) - max(0, begin - 4).
TEST(FindPartLaw, PartsWithAHalo) {
  constexpr int64_t kWhole = 1000, kHalo = 4;
  const std::vector<Grid> grids = {{{3, 2}}, {{6, 2}}, {{7, 3}}, {{9, 2}}};
  const Grid target{{11, 6}};
  for (int cut = 0; cut < 10; ++cut) {
    const bool at_ends = cut >= 5;
    const auto value = [&](const Context& c) {
      const auto all = BeginsOf(cut % 5, kWhole, c.dim(0));
      const auto x = size_t(c.at[0]);
      const int64_t begin = all[x] - kHalo, end = all[x + 1] + kHalo;
      if (at_ends) return end - begin;
      return std::min(kWhole, end) - std::max(int64_t{0}, begin);
    };
    std::vector<Sample> samples;
    for (const Grid& g : grids) {
      for (int64_t r = 0; r < g.ranks(); ++r) {
        const Context c(g, r);
        samples.push_back({c, value(c)});
      }
    }
    SearchSpace space;
    space.ndims = 2;
    const auto law = FindScalarLaw(samples, space);
    ASSERT_TRUE(law.has_value()) << cut;
    for (int64_t r = 0; r < target.ranks(); ++r) {
      const Context c(target, r);
      EXPECT_EQ(law->At(c), value(c)) << law->ToString() << " at " << r;
    }
  }
}

TEST(FindPartLaw, PartsOfAWholeAndWhereTheyBegin) {
  const std::vector<Grid> grids = {{{4}}, {{6}}, {{9}}, {{12}}};
  const Grid target{{37}};
  for (int cut = 0; cut < 8; ++cut) {
    for (const bool begins : {false, true}) {
      // A whole is seen in the sizes first, as most calls that say where a part
      // begins say how large it is, too.
      SearchSpace space;
      space.wholes = std::make_shared<std::set<int64_t>>();
      space.wholes->insert(1000);
      const auto value = [&](const Context& c) {
        const auto all = BeginsOf(cut, 1000, c.ranks());
        const int64_t begin = all[size_t(c.rank)];
        return 8 * (begins ? begin : all[size_t(c.rank) + 1] - begin);
      };
      std::vector<Sample> samples;
      for (const Grid& g : grids) {
        for (int64_t r = 0; r < g.ranks(); ++r) {
          const Context c(g, r);
          samples.push_back({c, value(c)});
        }
      }
      const auto law = FindScalarLaw(samples, space);
      ASSERT_TRUE(law.has_value()) << cut << begins;
      for (int64_t r = 0; r < target.ranks(); ++r) {
        const Context c(target, r);
        EXPECT_EQ(law->At(c), value(c)) << law->ToString() << " at " << r;
      }
    }
  }
}

// A mesh is cut alike along its sides: where points are within boxes along one
// that shows it, the other's parts are, though it is cut in few parts as most
// programs cut.
TEST(FindPartLaw, PointsInBoxesAlongBothSides) {
  const std::vector<Grid> grids = {
      {{2, 1}}, {{2, 2}}, {{4, 2}}, {{4, 4}}, {{8, 4}}};
  const std::vector<Grid> targets = {{{8, 8}}};
  for (const std::vector<int> order : {std::vector{0, 1}, std::vector{1, 0}}) {
    SearchSpace space;
    space.ndims = 2;
    space.certain = true;
    space.cuts = std::make_shared<CutsSeen>();
    std::optional<ScalarLaw> laws[2];
    const auto points_along = [](int side) -> Formula {
      return [side](const Context& c) {
        const auto begins = BeginsOf(6, 90, c.dim(side));
        const auto x = size_t(c.at[size_t(side)]);
        return begins[x + 1] - begins[x];
      };
    };
    // The second time what the other side has shown is known.
    for (int time = 0; time < 2; ++time) {
      for (const int side : order) {
        laws[side] = FindScalarLaw(SamplesOn(grids, points_along(side)), space);
      }
    }
    for (const int side : order) {
      ASSERT_TRUE(laws[side].has_value()) << side;
      for (const Sample& s : SamplesOn(targets, points_along(side))) {
        EXPECT_EQ(laws[side]->At(s.where), s.value) << laws[side]->ToString();
      }
    }
    EXPECT_EQ(space.cuts->HasNarrowedToRare(), order[0] == 1);
  }
}

// The part that place k is in, by the loop over parts that programs write.
int64_t OwnerOf(const std::vector<int64_t>& begins, int64_t k) {
  int64_t owner = 0;
  while (begins[size_t(owner) + 1] <= k) ++owner;
  return owner;
}

TEST(FindPartLaw, WhoOwnsAPlaceOfALoop) {
  using Value = std::function<int64_t(const Context&, int64_t owner)>;
  const std::vector<Value> values = {
      [](const Context&, int64_t owner) { return owner; },
      [](const Context& c, int64_t owner) { return c.rank == owner; },
      [](const Context& c, int64_t owner) { return c.rank > owner; },
      [](const Context& c, int64_t owner) {
        return (c.rank + 1) % c.ranks() != owner;
      }};
  const std::vector<Grid> grids = {{{4}}, {{6}}, {{9}}, {{12}}};
  for (const int64_t places : {50, 61}) {
    for (const int cut : {0, 1, 2, 3, 4, 6, 7}) {
      for (size_t v = 0; v < values.size(); ++v) {
        const auto samples_on = [&](const Grid& g) {
          const auto begins = BeginsOf(cut, places, g.ranks());
          std::vector<Sample> samples;
          for (int64_t r = 0; r < g.ranks(); ++r) {
            for (int64_t k = 0; k < places; ++k) {
              Context c(g, r);
              c.position = k;
              c.length = places;
              samples.push_back({c, values[v](c, OwnerOf(begins, k))});
            }
          }
          return samples;
        };
        std::vector<Sample> samples;
        for (const Grid& g : grids) {
          for (const Sample& s : samples_on(g)) samples.push_back(s);
        }
        SearchSpace space;
        space.array = true;
        const auto law = FindScalarLaw(samples, space);
        ASSERT_TRUE(law.has_value()) << cut << v;
        // With parts that have no place, too.
        for (const int64_t ranks : {37, 64}) {
          const Grid target{{ranks}};
          for (const Sample& s : samples_on(target)) {
            ASSERT_EQ(law->At(s.where), s.value)
                << law->ToString() << " at " << s.where.rank << ", place "
                << s.where.position << " of " << places << ", cut " << cut;
          }
        }
      }
    }
  }
}

TEST(FindPartLaw, ABlockThatTwoWaysToCutGiveIsOnlyTakenWhereTheyAgree) {
  // 5 5 5 5 4 are blocks that differ by one, and such as are rounded up.
  std::vector<Sample> samples;
  const std::vector<Grid> grids = {{{2}}, {{4}}, {{5}}, {{6}}};
  for (const Grid& g : grids) {
    const auto begins = BeginsOf(0, 24, g.ranks());
    for (int64_t r = 0; r < g.ranks(); ++r) {
      samples.push_back(
          {Context(g, r), begins[size_t(r) + 1] - begins[size_t(r)]});
    }
  }
  SearchSpace space;
  space.certain = true;
  const auto law = FindScalarLaw(samples, space);
  ASSERT_TRUE(law.has_value());
  const Grid even{{8}}, uneven{{10}};
  EXPECT_EQ(law->At(Context(even, 3)), 3);
  EXPECT_EQ(law->At(Context(uneven, 9)), kNotWhole) << law->ToString();
}

TEST(FindPartLaw, AMeshIsCutOneWayAlongAllSides) {
  CutsSeen cuts;
  const Divisions first = BitOf(Division::kFirst);
  const Divisions up = BitOf(Division::kRoundedUp);
  EXPECT_EQ(cuts.Narrow(101, first | up), first | up);
  EXPECT_FALSE(cuts.HasNarrowed());
  EXPECT_EQ(cuts.Narrow(101, up), up);
  EXPECT_TRUE(cuts.HasNarrowed());
  EXPECT_EQ(cuts.Narrow(101, first | up), up);
  EXPECT_EQ(cuts.Narrow(64, first | up), first | up);
  // Another mesh of as many points.
  EXPECT_EQ(cuts.Narrow(101, first), first);
}

TEST(FindPartLaw, FacesOfEqualBlocksWithAHalo) {
  const std::vector<Formula> faces = {
      [](const Context& c) {
        return 24 * (24 / c.dim(0) + 5) * (24 / c.dim(1) + 5);
      },
      [](const Context& c) {
        return 3 * (96 / c.dim(0) + 2) * (48 / c.dim(2) + 2);
      },
      [](const Context& c) {
        return 8 * (24 / c.dim(0) + 1) * (24 / c.dim(1) + 1) *
               (24 / c.dim(2) + 1);
      }};
  const std::vector<Grid> grids = {{{2, 2, 2}}, {{3, 2, 2}}, {{3, 3, 2}},
                                   {{4, 3, 2}}, {{3, 3, 3}}, {{4, 3, 3}}};
  SearchSpace space;
  space.ndims = 3;
  space.certain = true;
  for (const Formula& face : faces) {
    const auto law = FindScalarLaw(SamplesOn(grids, face), space);
    ASSERT_TRUE(law.has_value());
    const Grid target{{6, 4, 4}}, uneven{{7, 5, 5}};
    EXPECT_EQ(law->At(Context(target, 9)), face(Context(target, 9)))
        << law->ToString();
    EXPECT_EQ(law->At(Context(uneven, 9)), kNotWhole) << law->ToString();
  }
}

TEST(FindPartLaw, WhatOtherLawsSaidNeedNotBeSaidAgain) {
  // The last of half of the ranks, which half a program has said before.
  const Formula half = [](const Context& c) { return (c.ranks() + 1) / 2; };
  const Formula last = [&](const Context& c) { return half(c) - 1; };
  const std::vector<Grid> grids = {{{4}}, {{6}}, {{9}}, {{12}}, {{18}}};
  SearchSpace space;
  space.certain = true;
  EXPECT_FALSE(FindScalarLaw(SamplesOn(grids, last), space).has_value());
  ScalarLaw known;
  known.kind = ScalarLaw::Kind::kExpression;
  known.expression =
      Combine(Expression::Op::kDivide,
              AffineExpression(
                  1, FeatureExpression({Feature::Kind::kRanks, 0, nullptr}), 1),
              ConstantExpression(2));
  space.said = std::make_shared<SaidParts>();
  space.said->Add(known);
  const auto law = FindScalarLaw(SamplesOn(grids, last), space);
  ASSERT_TRUE(law.has_value());
  const Grid target{{37}};
  EXPECT_EQ(law->At(Context(target, 5)), 18) << law->ToString();
}

TEST(FindPartLaw, PlanesAndColumnsAreCountedInAnyOrderOfSides) {
  const std::vector<Formula> numbers = {
      [](const Context& c) { return c.at[2] * c.dim(1) + c.at[1]; },
      [](const Context& c) { return 100 + c.at[0] * c.dim(2) + c.at[2]; },
      [](const Context& c) {
        return (c.at[1] * c.dim(2) + c.at[2]) * c.dim(0) + c.at[0];
      }};
  const std::vector<Grid> grids = {
      {{2, 2, 1}}, {{2, 2, 2}}, {{3, 2, 2}}, {{4, 3, 2}}};
  const Grid target{{6, 5, 3}};
  SearchSpace space;
  space.ndims = 3;
  space.certain = true;
  for (const Formula& number : numbers) {
    const auto law = FindScalarLaw(SamplesOn(grids, number), space);
    ASSERT_TRUE(law.has_value());
    for (int64_t r = 0; r < target.ranks(); ++r) {
      EXPECT_EQ(law->At(Context(target, r)), number(Context(target, r)))
          << law->ToString() << " at " << r;
    }
  }
}

// A loop over the sides, in which those at the rim skip the one beyond: inner
// ranks along the first side are in the largest run alone.
TEST(FindPartLaw, TheNextRankAlongEachSideWhereThatIsInside) {
  const std::vector<std::vector<Grid>> all_runs = {
      {{{2, 2}}, {{2, 3}}, {{2, 4}}, {{3, 4}}},
      // As many skip the one as the other.
      {{{2, 2}}, {{3, 3}}, {{4, 4}}}};
  const Grid target{{5, 7}};
  const auto samples_on = [](const Grid& g) {
    std::vector<Sample> samples;
    for (int64_t r = 0; r < g.ranks(); ++r) {
      for (int64_t k = 0; k < 2; ++k) {
        Sample s{Context(g, r), 0};
        s.where.position = k, s.where.length = 2;
        Coordinates to = s.where.at;
        const auto d = size_t(1 - k);
        const bool inside = to[d] > 0 && ++to[d] < g.dims[d];
        if (!inside) continue;
        s.value = g.RankOf(to);
        samples.push_back(s);
      }
    }
    return samples;
  };
  for (const std::vector<Grid>& grids : all_runs) {
    std::vector<Sample> samples;
    for (const Grid& g : grids) {
      for (const Sample& s : samples_on(g)) samples.push_back(s);
    }
    SearchSpace space;
    space.ndims = 2;
    space.array = space.ranked = true;
    const auto law = FindScalarLaw(samples, space);
    ASSERT_TRUE(law.has_value());
    for (const Sample& s : samples_on(target)) {
      ASSERT_EQ(law->At(s.where), s.value)
          << law->ToString() << " at " << s.where.rank;
    }
  }
}

// A sweep of 16 blocks comes from one side first, then from the other; ranks at
// the edge have no part in half of it.
TEST(FindPartLaw, ASweepTurnsWithinALoop) {
  const std::vector<Grid> grids = {{{2, 2}}, {{3, 2}}, {{4, 2}}, {{4, 3}}};
  const Grid target{{7, 5}};
  const auto samples_on = [](const Grid& g, bool ranked) {
    std::vector<Sample> samples;
    for (int64_t r = 0; r < g.ranks(); ++r) {
      for (int64_t k = 0; k < 16; ++k) {
        Context c(g, r);
        c.position = k;
        c.length = 16;
        const int64_t to = c.at[0] + (k < 8 ? 1 : -1);
        const bool there = to >= 0 && to < g.dims[0];
        if (ranked && !there) continue;
        const int64_t open = k == 0 ? 0 : 1 + (there ? 1 : 0);
        samples.push_back({c, ranked ? g.RankOf({to, c.at[1]}) : open});
      }
    }
    return samples;
  };
  for (const bool ranked : {true, false}) {
    std::vector<Sample> samples;
    for (const Grid& g : grids) {
      for (const Sample& s : samples_on(g, ranked)) samples.push_back(s);
    }
    SearchSpace space;
    space.ndims = 2;
    space.array = true;
    space.ranked = ranked;
    space.certain = true;
    const auto law = FindScalarLaw(samples, space);
    ASSERT_TRUE(law.has_value()) << ranked;
    for (const Sample& s : samples_on(target, ranked)) {
      ASSERT_EQ(law->At(s.where), s.value)
          << law->ToString() << " at " << s.where.rank << ", place "
          << s.where.position;
    }
  }
}

TEST(FindPartLaw, OneRankAloneHasAShare) {
  // As the amount that a root scatters: of a matrix of 48 x 48 in blocks.
  std::vector<Sample> samples;
  const std::vector<Grid> grids = {{{2, 2}}, {{3, 2}}, {{4, 2}}, {{4, 3}}};
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      samples.push_back({Context(g, r), r == 0 ? 48 / g.dims[1] : 0});
    }
  }
  SearchSpace space;
  space.ndims = 2;
  const auto law = FindScalarLaw(samples, space);
  ASSERT_TRUE(law.has_value());
  const Grid target{{8, 4}};
  EXPECT_EQ(law->At(Context(target, 0)), 12);
  EXPECT_EQ(law->At(Context(target, 9)), 0);
}

TEST(FindPartLaw, WhatIsLeftOfBlocksDealtOutInTurn) {
  // A matrix of so many rows of blocks over the first side of a grid.
  constexpr int64_t kBlocks = 24;
  const auto left = [](const Context& c, int64_t done) {
    int64_t blocks = 0;
    for (int64_t b = done; b < kBlocks; ++b) blocks += b % c.dim(0) == c.at[0];
    return 3 * blocks;
  };
  const auto list_of = [&left](const Context& c) {
    Pattern p;
    for (int64_t k = 0; k < kBlocks; ++k) p.period.push_back(left(c, k + 1));
    return p;
  };
  std::vector<RankPattern> counts;
  const std::vector<Grid> grids = {{{2, 2}}, {{3, 2}}, {{4, 3}}};
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      counts.push_back({c, list_of(c), {}, {}});
    }
  }
  SearchSpace space;
  space.ndims = 2;
  const auto law = FindSequenceLaw(counts, space, nullptr);
  ASSERT_TRUE(law.has_value());
  const Grid target{{7, 5}};
  for (int64_t r = 0; r < target.ranks(); ++r) {
    const Context c(target, r);
    EXPECT_EQ(law->At(c, {}), list_of(c)) << "rank " << r;
  }
}

TEST(FindPartLaw, RowsThatGrowByOneEach) {
  // Stages within stages, as of a bitonic sort.
  const auto list_of = [](const Context& c) {
    Pattern p;
    for (int64_t stage = 2; stage <= c.ranks(); stage *= 2) {
      for (int64_t by = stage / 2; by > 0; by /= 2) {
        p.period.push_back(c.rank ^ by);
      }
    }
    return p;
  };
  std::vector<RankPattern> peers;
  const std::vector<Grid> grids = {{{4}}, {{8}}, {{16}}};
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      peers.push_back({c, list_of(c), {}, {}});
    }
  }
  SearchSpace space;
  space.ranked = true;
  const auto law = FindSequenceLaw(peers, space, nullptr);
  ASSERT_TRUE(law.has_value());
  EXPECT_TRUE(law->UsesBits());
  const Grid target{{256}};
  const Context at(target, 77);
  EXPECT_EQ(law->At(at, {}), list_of(at));
}

TEST(FindPartLaw, RankZeroDealsOutToTheOthers) {
  const auto dealt = [](int64_t ranks, int64_t r) {
    return 100 / (ranks - 1) + (r - 1 < 100 % (ranks - 1));
  };
  std::vector<Sample> samples;
  const std::vector<Grid> grids = {{{4}}, {{6}}, {{8}}, {{12}}};
  for (const Grid& g : grids) {
    for (int64_t r = 1; r < g.ranks(); ++r) {
      samples.push_back({Context(g, r), dealt(g.ranks(), r)});
    }
  }
  SearchSpace space;
  space.certain = true;
  const auto law = FindScalarLaw(samples, space);
  ASSERT_TRUE(law.has_value());
  const Grid target{{38}};
  for (int64_t r = 1; r < target.ranks(); ++r) {
    EXPECT_EQ(law->At(Context(target, r)), dealt(38, r)) << law->ToString();
  }
}

TEST(FindPartLaw, RowsOfEachRankOneByOne) {
  // Rank 0 takes from each other rank as many rows as that has, 7 and a few.
  const auto list_of = [](const Context& c) {
    Pattern p;
    for (int64_t r = 1; r < c.ranks(); ++r) {
      for (int64_t i = 0; i < 7 + r; ++i) p.period.push_back(r);
    }
    return p;
  };
  std::vector<RankPattern> peers;
  const std::vector<Grid> grids = {{{4}}, {{6}}, {{9}}};
  for (const Grid& g : grids) {
    peers.push_back({Context(g, 0), list_of(Context(g, 0)), {}, {}});
  }
  SearchSpace space;
  space.ranked = true;
  const auto law = FindSequenceLaw(peers, space, nullptr);
  ASSERT_TRUE(law.has_value());
  const Grid target{{20}};
  EXPECT_EQ(law->At(Context(target, 0), {}), list_of(Context(target, 0)))
      << law->ToString();
}

TEST(FindPartLaw, ALogarithmThatWasOneNumberInAllRunsIsNoNumber) {
  // Half of the ranks is N >> log2(d1) while the second side is 2 or 3.
  std::vector<Sample> samples;
  const std::vector<Grid> grids = {{{2, 2}}, {{3, 2}}, {{3, 3}}, {{6, 3}}};
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      samples.push_back({Context(g, r), g.ranks() / 2});
    }
  }
  SearchSpace space;
  space.ndims = 2;
  space.ranked = true;
  const auto law = FindScalarLaw(samples, space);
  const Grid target{{6, 6}};
  const int64_t half = law ? law->At(Context(target, 7)) : 18;
  EXPECT_EQ(half, 18);
}

int64_t ShareOf(int64_t whole, int64_t parts, int64_t x) {
  return whole / parts + (x < whole % parts);
}

TEST(FindPartLaw, ListsOfATransposeInTurn) {
  // All to all along the rows of a grid, then along its columns: lists of two
  // lengths, of what is mine along one side and another's along the list.
  const auto list_of = [](const Context& c) {
    Pattern p;
    for (int64_t k = 0; k < c.dim(1); ++k) {
      p.period.push_back(ShareOf(50, c.dim(0), c.at[0]) *
                         ShareOf(31, c.dim(1), k));
    }
    for (int64_t k = 0; k < c.dim(0); ++k) {
      p.period.push_back(7 * ShareOf(31, c.dim(1), c.at[1]) *
                         ShareOf(50, c.dim(0), k));
    }
    return p;
  };
  std::vector<RankPattern> counts;
  const std::vector<Grid> grids = {{{2, 2}}, {{3, 2}}, {{3, 4}}, {{4, 5}}};
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      counts.push_back({c, list_of(c), {}, {g.dims[1], g.dims[0]}});
    }
  }
  SearchSpace space;
  space.ndims = 2;
  space.certain = true;
  const auto law = FindSequenceLaw(counts, space, nullptr);
  ASSERT_TRUE(law.has_value());
  const Grid target{{9, 6}};
  for (int64_t r = 0; r < target.ranks(); ++r) {
    const Context c(target, r);
    EXPECT_EQ(law->At(c, {}, {6, 9}), list_of(c)) << law->ToString();
  }
}

// Rank 0 gets the blocks of the others: its own row and column are not whole.
TEST(FindPartLaw, BlocksOfAPlaneOfWhichTheFirstIsNotSeen) {
  const std::vector<Grid> grids = {{{2, 2}}, {{2, 3}}, {{3, 4}}, {{4, 4}}};
  for (int cut = 0; cut < 3; ++cut) {
    const auto part = [&](int64_t whole, const Context& c, int d) {
      const auto begins = BeginsOf(cut, whole, c.dim(d));
      const auto x = size_t(c.at[size_t(d)]);
      return begins[x + 1] - begins[x];
    };
    const Formula value = [&](const Context& c) {
      return part(90, c, 0) * part(144, c, 1);
    };
    std::vector<Sample> samples = SamplesOn(grids, value);
    std::erase_if(samples, [](const Sample& s) { return s.where.rank == 0; });
    SearchSpace space;
    space.ndims = 2;
    space.certain = true;
    const auto law = FindScalarLaw(samples, space);
    ASSERT_TRUE(law.has_value()) << cut;
    const Grid target{{4, 6}};
    for (int64_t r = 1; r < target.ranks(); ++r) {
      const Context c(target, r);
      EXPECT_EQ(law->At(c), value(c)) << law->ToString();
    }
  }
}

// Where the last gets the rest, parts of 6, 6 and 8 have a common divisor.
TEST(FindPartLaw, BlocksOfAPlaneOfWhichTheLastGetTheRest) {
  const std::vector<Grid> grids = {{{2, 2}}, {{3, 2}}, {{4, 3}}, {{4, 4}}};
  const auto part = [](int64_t whole, const Context& c, size_t d) {
    const int64_t parts = c.dim(int(d));
    return whole / parts + (c.at[d] == parts - 1 ? whole % parts : 0);
  };
  const Formula value = [&](const Context& c) {
    return part(30, c, 0) * part(20, c, 1);
  };
  SearchSpace space;
  space.ndims = 2;
  space.certain = true;
  const auto law = FindProductOfParts(SamplesOn(grids, value), space);
  ASSERT_NE(law, nullptr);
  const Grid target{{8, 6}};
  for (int64_t r = 0; r < target.ranks(); ++r) {
    const Context c(target, r);
    EXPECT_EQ(law->At(c), value(c)) << law->ToString();
  }
}

// Parts of 12 and of 24 in 2, 4 and 5 are to one another alike where the last
// gets the rest: in 8 they are not, so that there is no value there.
TEST(FindPartLaw, WholesOfWhichPartsAreAlikeHaveToAgree) {
  const std::vector<Grid> grids = {{{2, 2}}, {{4, 3}}, {{5, 4}}};
  const auto part = [](int64_t whole, const Context& c, size_t d) {
    const int64_t parts = c.dim(int(d));
    return whole / parts + (c.at[d] == parts - 1 ? whole % parts : 0);
  };
  const Formula value = [&](const Context& c) {
    return 8 * part(24, c, 0) * part(20, c, 1);
  };
  SearchSpace space;
  space.ndims = 2;
  space.certain = true;
  const auto law = FindProductOfParts(SamplesOn(grids, value), space);
  ASSERT_NE(law, nullptr);
  for (const Grid& target : {Grid{{8, 6}}, Grid{{6, 4}}, Grid{{4, 4}}}) {
    for (int64_t r = 0; r < target.ranks(); ++r) {
      const Context c(target, r);
      const int64_t there = law->At(c);
      EXPECT_TRUE(there == value(c) || there == kNotWhole) << law->ToString();
    }
  }
  const Grid even{{4, 4}};
  EXPECT_EQ(law->At(Context(even, 0)), 8 * 6 * 5);
}

// Along side 0 they are what ends lack, along side 1 blocks of a whole, which
// side 0 would cut as well.
TEST(FindPartLaw, BlocksAlongOneSideAndEndsAlongAnother) {
  const std::vector<Grid> grids = {{{2, 3}}, {{3, 4}}, {{4, 5}}, {{5, 6}}};
  for (const int64_t whole : {10, 14, 33, 38, 47}) {
    const Formula value = [whole](const Context& c) {
      const auto begins = BeginsOf(0, whole, c.dim(1));
      const auto x = size_t(c.at[1]);
      return begins[x + 1] - begins[x] + (c.at[0] > 0) +
             (c.at[0] < c.dim(0) - 1);
    };
    SearchSpace space;
    space.ndims = 2;
    space.certain = true;
    const auto law = FindScalarLaw(SamplesOn(grids, value), space);
    ASSERT_TRUE(law.has_value()) << whole;
    const Grid target{{8, 7}};
    for (int64_t r = 0; r < target.ranks(); ++r) {
      const Context c(target, r);
      EXPECT_EQ(law->At(c), value(c)) << law->ToString();
    }
  }
}

// What is not of a list is shared out along none, whatever wholes others cut.
TEST(FindPartLaw, WhatIsInNoListIsNoPartOfOne) {
  const std::vector<Grid> grids = {{{2, 2}}, {{2, 3}}, {{3, 4}}, {{4, 4}}};
  const Formula value = [](const Context& c) {
    const std::map<int64_t, int64_t> of_size{
        {4, 7}, {6, 11}, {12, 13}, {16, 17}};
    const auto begins = BeginsOf(0, 91, c.dim(0));
    const auto x = size_t(c.at[0]);
    return of_size.at(c.ranks()) * (begins[x + 1] - begins[x]);
  };
  SearchSpace space;
  space.ndims = 2;
  space.array = true;
  space.wholes = std::make_shared<std::set<int64_t>>(std::set<int64_t>{60});
  EXPECT_EQ(FindProductOfParts(SamplesOn(grids, value), space), nullptr);
}

}  // namespace
}  // namespace ranksight::online_model
