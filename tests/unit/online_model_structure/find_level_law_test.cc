// Laws of the levels of a multigrid, found from a V-cycle written as a formula.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "online_model/structure/find_levels.h"
#include "online_model/structure/scalar_law.h"
#include "online_model/structure/sequence_law.h"
#include "tests/unit/online_model_structure/formula_laws.h"

namespace ranksight::online_model {
namespace {

using testing::GridsOf;

// A V-cycle on two sides of 32 points each, side after side at each level:
// what one rank sends to whom, all in one list. Of more ranks than points of
// a level every second, fourth, ... takes part, counted from the far end.
struct LevelLists {
  std::vector<int64_t> peers, points;
};

LevelLists ListsOf(const Context& c, int64_t finest) {
  LevelLists lists;
  for (int64_t points = finest; points >= 2; points /= 2) {
    int64_t apart[2], own[2];
    for (size_t d = 0; d < 2; ++d) {
      apart[d] = std::max<int64_t>(1, c.dim(int(d)) / points);
      own[d] = std::max<int64_t>(1, points / c.dim(int(d)));
    }
    if ((c.at[0] + 1) % apart[0] != 0 || (c.at[1] + 1) % apart[1] != 0) break;
    for (size_t d = 0; d < 2; ++d) {
      Coordinates to = c.at;
      to[d] = (to[d] + apart[d]) % c.dim(int(d));
      lists.peers.push_back(c.grid->RankOf(to));
      lists.points.push_back(own[1 - d] + (d == 1 ? 2 : 0));
    }
  }
  return lists;
}

Rounds OneLoopOf(size_t iterations) {
  return {{int64_t(iterations), 1, {}, false, {}}};
}

TEST(FindLaw, LevelsOfAMultigridWithItsSidesInOneLoop) {
  const auto grids = GridsOf({{2, 2}, {4, 2}, {4, 4}, {8, 4}, {8, 8}});
  std::vector<RankPattern> peers, points;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context at(g, r);
      const LevelLists lists = ListsOf(at, 32);
      const Rounds rounds = OneLoopOf(lists.peers.size());
      peers.push_back({at, {{}, Shortest(lists.peers)}, rounds, {}});
      points.push_back({at, {{}, Shortest(lists.points)}, rounds, {}});
    }
  }
  SearchSpace space;
  space.ndims = 2;
  const auto amounts = FindSequenceLaw(points, space, nullptr);
  space.ranked = true;
  const auto ranks = FindSequenceLaw(peers, space, nullptr);
  ASSERT_TRUE(amounts.has_value());
  ASSERT_TRUE(ranks.has_value());
  EXPECT_TRUE(ranks->UsesBits());
  for (const Grid& g : GridsOf({{16, 8}, {16, 16}})) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context at(g, r);
      const LevelLists lists = ListsOf(at, 32);
      const Rounds rounds = OneLoopOf(lists.peers.size());
      ASSERT_EQ(amounts->At(at, rounds).period, Shortest(lists.points))
          << amounts->ToString() << " at " << r;
      ASSERT_EQ(ranks->At(at, rounds).period, Shortest(lists.peers))
          << ranks->ToString() << " at " << r;
    }
  }
}

TEST(FindLaw, LevelsKnownOtherwiseTellHowFarTheNextRankIs) {
  // At these sizes it is always the next one.
  const auto grids = GridsOf({{2, 2}, {4, 2}, {4, 4}});
  std::vector<RankPattern> peers;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context at(g, r);
      Pattern p;
      for (int k = 0; k < 6; ++k) p.period.push_back(ListsOf(at, 32).peers[1]);
      p.period = Shortest(std::move(p.period));
      peers.push_back({at, std::move(p), OneLoopOf(3), {}});
    }
  }
  SearchSpace space;
  space.ndims = 2;
  space.ranked = true;
  space.levels = Levels{32, false};
  const auto law = FindSequenceLaw(peers, space, nullptr);
  ASSERT_TRUE(law.has_value());
  const Grid target{{16, 16}};
  EXPECT_EQ(law->At(Context(target, 255), OneLoopOf(4)).period,
            (std::vector<int64_t>{240, 240, 241, 243}));
}

TEST(FindLaw, LevelsThatARankHasAPartIn) {
  std::vector<Sample> samples;
  const auto grids = GridsOf({{2, 2}, {4, 2}, {4, 4}, {8, 4}, {8, 8}});
  const auto levels = [](const Context& c) {
    return std::min<int64_t>(3, int64_t(ListsOf(c, 16).peers.size() / 2));
  };
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context at(g, r);
      samples.push_back({at, levels(at)});
    }
  }
  SearchSpace space;
  space.ndims = 2;
  space.counts = true;
  const auto law = FindScalarLaw(samples, space);
  ASSERT_TRUE(law.has_value());
  const Grid target{{16, 16}};
  for (int64_t r = 0; r < target.ranks(); ++r) {
    const Context at(target, r);
    ASSERT_EQ(law->At(at), levels(at)) << law->ToString() << " at " << r;
  }
}

TEST(FindLaw, LevelsTellHowManyOfThemARankHasAPartIn) {
  const auto levels = [](const Context& c) {
    return std::min<int64_t>(3, int64_t(ListsOf(c, 16).peers.size() / 2));
  };
  const ScalarLaw law =
      LevelTrips({16, true}, 6, 2, Feature::Kind::kCoarsestFromOne);
  for (const Grid& g : GridsOf({{2, 2}, {8, 4}, {16, 16}})) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context at(g, r);
      ASSERT_EQ(law.At(at), 2 * levels(at)) << "rank " << r;
    }
  }
}

}  // namespace
}  // namespace ranksight::online_model
