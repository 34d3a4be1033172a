#include "online_model/structure/component.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "online_model/structure/evidence.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

// The component of a rank, or -1.
using Colour = std::function<int64_t(int64_t rank, int64_t ranks)>;

DividedRanks DividedBy(const Colour& colour, int64_t ranks) {
  DividedRanks run;
  std::map<int64_t, int64_t> sizes;
  for (int64_t r = 0; r < ranks; ++r) {
    const int64_t c = colour(r, ranks);
    run.places.push_back({c, c < 0 ? 0 : sizes[c]++, 0});
    if (c < 0) run.places.back() = {};
  }
  for (DividedRanks::Place& p : run.places) {
    if (p.component >= 0) p.size = sizes[p.component];
  }
  return run;
}

std::vector<DividedRanks> Runs(const Colour& colour) {
  std::vector<DividedRanks> runs;
  for (const int64_t n : {4, 6, 9, 12, 16}) {
    runs.push_back(DividedBy(colour, n));
  }
  return runs;
}

// The rank of the world that has the place in the component of `of`.
int64_t InWorld(const DividedRanks& run, const DividedRanks::Place& of,
                int64_t place) {
  for (size_t r = 0; r < run.places.size(); ++r) {
    if (run.places[r].component == of.component &&
        run.places[r].rank == place) {
      return int64_t(r);
    }
  }
  return -1;
}

const std::vector<Colour>& Colours() {
  static const std::vector<Colour> all = {
      [](int64_t r, int64_t n) { return int64_t(r >= 2 * n / 3); },
      [](int64_t r, int64_t n) {
        return int64_t(r >= n - std::max<int64_t>(n / 4, 1));
      },
      [](int64_t r, int64_t) { return int64_t(r > 0); },
      [](int64_t r, int64_t n) { return int64_t(r == n - 1); },
      [](int64_t r, int64_t n) { return r < n / 2 ? 0 : -1; },
      [](int64_t r, int64_t n) { return r == 0      ? 0
                                        : r < n / 2 ? 1
                                                    : 2; },
      [](int64_t r, int64_t) { return int64_t(r % 4 == 3); },
      [](int64_t r, int64_t) { return int64_t(r % 3 == 0); },
      [](int64_t r, int64_t) { return r % 4 == 1 ? 0 : -1; },
      [](int64_t r, int64_t) { return r % 3; },
      [](int64_t r, int64_t) { return r / 4; },
  };
  return all;
}

TEST(Component, IsFoundAsRanksAreDivided) {
  for (size_t i = 0; i < Colours().size(); ++i) {
    const auto found = FindComponents(Runs(Colours()[i]), true);
    ASSERT_TRUE(found.has_value()) << i;
    for (const int64_t ranks : {24, 46, 97}) {
      const DividedRanks run = DividedBy(Colours()[i], ranks);
      const Grid line{{ranks}};
      for (int64_t r = 0; r < ranks; ++r) {
        const DividedRanks::Place& place = run.places[size_t(r)];
        const Context c(line, r);
        ASSERT_EQ(found->size->At(c), place.size) << i << " at " << r;
        if (place.size == 0) continue;
        ASSERT_EQ(found->rank->At(c), place.rank) << i << " at " << r;
        const int64_t next = (place.rank + 1) % place.size;
        ASSERT_EQ(found->in_world(ConstantExpression(next))->At(c),
                  InWorld(run, place, next))
            << i << " at " << r;
      }
    }
  }
}

TEST(Component, SaysNothingWhereLawsOfItsBeginDisagree) {
  // A fifth and a sixth of the ranks, at least one, are the same here.
  std::vector<DividedRanks> runs;
  for (const int64_t n : {4, 6, 8, 12}) {
    runs.push_back(DividedBy(
        [](int64_t r, int64_t ranks) {
          return int64_t(r < std::max<int64_t>(ranks / 5, 1));
        },
        n));
  }
  const auto certain = FindComponents(runs, true);
  ASSERT_TRUE(certain.has_value());
  EXPECT_EQ(certain->size->At(Context(Grid{{16}}, 0)), kNotWhole);
  const auto likely = FindComponents(runs, false);
  ASSERT_TRUE(likely.has_value());
  EXPECT_EQ(likely->size->At(Context(Grid{{16}}, 0)), 3);
}

TEST(Component, IsNoneWhereRanksAreDividedByChance) {
  const Colour scattered = [](int64_t r, int64_t) {
    return r * r % 7 < 3 ? 0 : 1;
  };
  EXPECT_FALSE(FindComponents(Runs(scattered), true).has_value());
}

TEST(Component, LawsOfALineHoldAmongItsRanks) {
  ScalarLaw open;
  open.kind = ScalarLaw::Kind::kNeighbour;
  open.by[0] = 1;
  ScalarLaw ring = open;
  ring.by[0] = -1;
  ring.periodic = 1;
  ScalarLaw block;
  block.kind = ScalarLaw::Kind::kBlock;
  block.constant = 97;
  block.scale = 8;
  for (size_t i = 0; i < Colours().size(); ++i) {
    const auto found = FindComponents(Runs(Colours()[i]), true);
    ASSERT_TRUE(found.has_value()) << i;
    const auto next = OnComponents(open, *found, true);
    const auto before = OnComponents(ring, *found, true);
    const auto amount = OnComponents(block, *found, false);
    ASSERT_TRUE(next && before && amount) << i;
    const Grid line{{46}};
    const DividedRanks run = DividedBy(Colours()[i], 46);
    for (int64_t r = 0; r < 46; ++r) {
      const DividedRanks::Place& p = run.places[size_t(r)];
      if (p.size == 0) continue;
      const Context c(line, r);
      EXPECT_EQ(next->At(c), p.rank + 1 == p.size ? reduction::kPeerNull
                                                  : InWorld(run, p, p.rank + 1))
          << i << " at " << r;
      EXPECT_EQ(before->At(c), InWorld(run, p, (p.rank + p.size - 1) % p.size))
          << i << " at " << r;
      EXPECT_EQ(amount->At(c), 8 * BlockSize(97, p.size, p.rank))
          << i << " at " << r;
    }
  }
}

TEST(Component, ARankAloneIsNotLookedAtForEver) {
  // The others are alike, and the root's follows the size: what it has alone
  // was looked for as if all had it, again and again.
  const std::vector<Grid> grids = {{{1}}, {{4}}};
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      samples.push_back({Context(g, r), r > 0 ? 3 : 5 + 2 * g.ranks()});
    }
  }
  (void)FindScalarLaw(samples, SearchSpace());
}

TEST(Component, TheFirstRankAloneMayHaveSeveralValues) {
  // What the others have was looked at although there are none.
  const std::vector<Grid> grids = {{{2}}, {{4}}, {{5}}};
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (const int64_t v : {360, 180}) {
      samples.push_back({Context(g, 0), v / g.ranks() + 1});
    }
  }
  SearchSpace space;
  space.certain = true;
  space.said = std::make_shared<SaidParts>();
  EXPECT_FALSE(FindScalarLaw(samples, space).has_value());
}

}  // namespace
}  // namespace ranksight::online_model
