// Lists of neighbours that pair off: even ranks with the next one first. And in
// the order of ranks, and on a part of a line.
#include "online_model/structure/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/sequence_law.h"
#include "online_model/synthesize/check_turns.h"

namespace ranksight::online_model {
namespace {

// As a program goes along each side, even places up and odd ones down, and then
// the other way round; nobody beyond the ends.
std::vector<int64_t> PartnersOf(const Context& c) {
  std::vector<int64_t> partners;
  for (int d = 0; d < c.grid->size(); ++d) {
    for (const int64_t round : {0, 1}) {
      const int64_t x = c.at[size_t(d)], to = x % 2 == round ? x + 1 : x - 1;
      if (to < 0 || to >= c.dim(d)) continue;
      Coordinates at = c.at;
      at[size_t(d)] = to;
      partners.push_back(c.grid->RankOf(at));
    }
  }
  return partners;
}

std::vector<RankPattern> PatternsOn(const std::vector<Grid>& grids) {
  std::vector<RankPattern> patterns;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      patterns.push_back({c, {{}, Shortest(PartnersOf(c))}, {}, {}});
    }
  }
  return patterns;
}

TEST(Neighbours, EvenPlacesGoUpFirstAndOddOnesDown) {
  // Of three ranks on a side all do the same as without turning.
  const std::vector<Grid> seen{{{2, 2}}, {{3, 2}}, {{4, 4}}};
  const auto lists = FindNeighbours(PatternsOn(seen), 2);
  ASSERT_EQ(lists.size(), 1u);
  const auto& list = lists[0];
  ASSERT_NE(list, nullptr);
  EXPECT_TRUE(list->turned);
  for (const Grid& g : {Grid{{7, 6}}, Grid{{4, 5}, RankOrder::kBackAndForth}}) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      std::vector<int64_t> ranks;
      for (const int slot : list->Kept(c)) {
        ranks.push_back(*list->Rank(c, size_t(slot)));
      }
      EXPECT_EQ(ranks, PartnersOf(c)) << "rank " << r;
      EXPECT_EQ(list->Degree(c), int64_t(PartnersOf(c).size()));
    }
  }
}

TEST(Neighbours, SidesOfTwoShowOneRoundAlone) {
  const std::vector<Grid> seen{{{2, 2}}, {{3, 2}}, {{5, 2}}};
  const auto lists = FindNeighbours(PatternsOn(seen), 2);
  ASSERT_EQ(lists.size(), 1u);
  // Whether longer ones have another, CheckTurns asks at the target.
  EXPECT_EQ(lists[0]->slots.size(), 3u);
  const Grid as_wide{{8, 2}};
  for (int64_t r = 0; r < as_wide.ranks(); ++r) {
    const Context c(as_wide, r);
    EXPECT_EQ(lists[0]->Ranks(c), PartnersOf(c)) << "rank " << r;
  }
}

TEST(Neighbours, TwoRanksDoNotTellWhetherThereIsASecondRound) {
  const std::vector<Grid> seen{{{2, 2}}, {{1, 2}}};
  const auto lists = FindNeighbours(PatternsOn(seen), 2);
  ASSERT_FALSE(lists.empty());
  EXPECT_FALSE(lists[0]->turned);
}

NodeLaw PairsAlong(std::vector<Displacement> slots) {
  SequenceLaw law;
  law.form = SequenceLaw::Form::kBySlot;
  law.peers = true;
  law.list = std::make_shared<const Neighbours>(
      Neighbours{std::move(slots), 0, 2, true});
  NodeLaw event;
  event.trips.values.resize(1);
  event.trips.values[0].constant = 2;
  event.params = {law};
  event.absent = {false};
  NodeLaw root;
  root.children.push_back(std::move(event));
  return root;
}

TEST(CheckTurns, NoSideOfTwoTellsWhetherThereIsASecondRound) {
  const std::vector<Grid> runs{{{3, 2}}, {{4, 2}}}, longer{{{3, 2}}, {{4, 4}}};
  for (const NodeLaw& law : {PairsAlong({{1, 0}, {-1, 0}, {0, 1}}),
                             PairsAlong({{1, 0}, {-1, 0}, {0, 1}, {0, -1}})}) {
    EXPECT_TRUE(CheckTurns(law, runs, Grid{{6, 2}}).ok());
    EXPECT_FALSE(CheckTurns(law, runs, Grid{{4, 4}}).ok());
    EXPECT_TRUE(CheckTurns(law, longer, Grid{{6, 4}}).ok());
  }
}

// An event for neighbours at even places along a side, and one for the others:
// each is called in some iterations of a loop over the neighbours.
TEST(SequenceLaw, NeighboursOfIterationsInWhichAnEventRuns) {
  const std::vector<Grid> seen{{{2, 3}}, {{3, 3}}, {{4, 3}}, {{4, 4}}};
  const auto list = FindNeighbours(PatternsOn(seen), 2).front();
  const auto is_even = [](const Context& c, int64_t slot) {
    return c.at[size_t(slot / 2)] % 2 == 0;
  };
  const auto pattern_of = [&](const Context& c) {
    RankPattern p{c, {}, {{0, 1, {}, true, {}}}, {}};
    for (const int slot : list->Kept(c)) {
      p.rounds[0].runs.push_back(is_even(c, slot));
      ++p.rounds[0].iterations;
      if (is_even(c, slot)) {
        p.pattern.period.push_back(*list->Rank(c, size_t(slot)));
      }
    }
    return p;
  };
  std::vector<RankPattern> patterns;
  for (const Grid& g : seen) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      RankPattern p = pattern_of(Context(g, r));
      if (p.pattern.period.empty()) continue;
      p.pattern.period = Shortest(p.pattern.period);
      patterns.push_back(std::move(p));
    }
  }
  SearchSpace space;
  space.ndims = 2;
  space.ranked = true;
  space.lists = {list};
  const auto law = FindSequenceLaw(patterns, space, nullptr);
  ASSERT_TRUE(law);
  EXPECT_EQ(law->form, SequenceLaw::Form::kByLoopSlot);
  const Grid larger{{5, 6}};
  for (int64_t r = 0; r < larger.ranks(); ++r) {
    const RankPattern p = pattern_of(Context(larger, r));
    EXPECT_EQ(law->At(p.where, p.rounds).period, Shortest(p.pattern.period));
  }
}

// As a program lists all ranks around its own on a torus: without the own one,
// and each once or as often as it is found.
std::vector<int64_t> AroundOn(const Context& c, bool once) {
  std::vector<int64_t> around;
  for (int64_t dy = -1; dy <= 1; ++dy) {
    for (int64_t dx = -1; dx <= 1; ++dx) {
      const int64_t x = (c.at[0] + dx + c.dim(0)) % c.dim(0);
      const int64_t y = (c.at[1] + dy + c.dim(1)) % c.dim(1);
      const int64_t to = x * c.dim(1) + y;
      const bool known =
          std::find(around.begin(), around.end(), to) != around.end();
      if (to != c.rank && !(once && known)) around.push_back(to);
    }
  }
  return around;
}

TEST(Neighbours, TheOwnRankAndKnownOnesMayBeSkipped) {
  const std::vector<Grid> seen{{{1, 4}}, {{2, 4}}, {{3, 4}}};
  for (const bool once : {false, true}) {
    std::vector<RankPattern> patterns;
    for (const Grid& g : seen) {
      for (int64_t r = 0; r < g.ranks(); ++r) {
        const Context c(g, r);
        patterns.push_back({c, {{}, Shortest(AroundOn(c, once))}, {}, {}});
      }
    }
    const auto lists = FindNeighbours(patterns, 2);
    const Grid target{{5, 6}}, small{{2, 3}};
    ASSERT_FALSE(lists.empty());
    for (const Grid& g : {target, small}) {
      for (int64_t r = 0; r < g.ranks(); ++r) {
        const Context c(g, r);
        std::vector<int64_t> ranks;
        for (const int slot : lists[0]->Kept(c)) {
          ranks.push_back(*lists[0]->Rank(c, size_t(slot)));
        }
        EXPECT_EQ(ranks, AroundOn(c, once)) << once << " rank " << r;
      }
    }
  }
}

// So many values for each neighbour on each of `layers` layers: law(rank's
// context, side, layer).
template <class F>
std::vector<RankPattern> LayersOn(const std::vector<Grid>& grids,
                                  int64_t layers, F law) {
  const Neighbours list{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}, 0, 2, false};
  std::vector<RankPattern> patterns;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      const std::vector<int> kept = list.Kept(c);
      std::vector<int64_t> values;
      for (int64_t k = 0; k < layers; ++k) {
        for (const int slot : kept) values.push_back(law(c, slot / 2, k));
      }
      patterns.push_back({c,
                          {{}, Shortest(values)},
                          {{layers, int64_t(kept.size()), {}, false, {}}},
                          {}});
    }
  }
  return patterns;
}

TEST(Neighbours, HaveOtherAmountsOnEachLayer) {
  const std::vector<Grid> seen{{{2, 2}}, {{3, 2}}, {{4, 4}}, {{5, 3}}};
  const std::vector<Grid> unseen{{{6, 7}}};
  SearchSpace space;
  space.ndims = 2;
  const auto list = std::make_shared<const Neighbours>(
      Neighbours{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}, 0, 2, false});
  const auto halved = [](const Context&, int side, int64_t layer) {
    return (side == 0 ? int64_t{96} : int64_t{160}) >> layer;
  };
  // Of a mesh of 121 x 90 points.
  const auto shared = [](const Context& c, int side, int64_t layer) {
    return (layer + 1) * (side == 0 ? BlockSize(90, c.dim(1), c.at[1])
                                    : BlockSize(121, c.dim(0), c.at[0]));
  };
  const auto expect = [&](int64_t layers, const auto& amount) {
    const auto law =
        FindSequenceLaw(LayersOn(seen, layers, amount), space, list);
    ASSERT_TRUE(law.has_value());
    EXPECT_EQ(law->form, SequenceLaw::Form::kBySlotInLoop);
    for (const RankPattern& p : LayersOn(unseen, layers, amount)) {
      ASSERT_EQ(law->At(p.where, p.rounds), p.pattern) << law->ToString();
    }
  };
  expect(5, halved);
  expect(3, shared);
}

// What a program lists on a rank, in its order.
using Listed = std::function<std::vector<int64_t>(const Context&)>;

// Ranks without any have no such call.
std::vector<RankPattern> ListsOn(const std::vector<Grid>& grids,
                                 const Listed& listed) {
  std::vector<RankPattern> patterns;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      const std::vector<int64_t> ranks = listed(c);
      if (ranks.empty()) continue;
      patterns.push_back({c, {{}, Shortest(ranks)}, {}, {}});
    }
  }
  return patterns;
}

void ExpectListed(const std::vector<Grid>& seen,
                  const std::vector<Grid>& unseen, const Listed& listed) {
  const auto lists = FindNeighbours(ListsOn(seen, listed), seen[0].size());
  ASSERT_FALSE(lists.empty());
  for (const Grid& g : unseen) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      ASSERT_EQ(lists[0]->Ranks(c), listed(c))
          << lists[0]->ToString() << " at rank " << r << " of " << g.ranks();
      ASSERT_EQ(lists[0]->Degree(c), int64_t(listed(c).size()));
    }
  }
}

std::vector<Grid> LinesOf(const std::vector<int64_t>& sizes) {
  std::vector<Grid> lines;
  for (const int64_t n : sizes) lines.push_back({{n}});
  return lines;
}

// A set of them, as std::set has it.
std::vector<int64_t> SetOf(const Context& c, const std::vector<int64_t>& hops) {
  std::set<int64_t> ranks;
  for (const int64_t hop : hops) {
    ranks.insert((c.rank + hop + c.ranks()) % c.ranks());
  }
  return {ranks.begin(), ranks.end()};
}

TEST(Neighbours, AroundALineStandInAscendingOrder) {
  for (const std::vector<int64_t>& hops :
       {std::vector<int64_t>{-1, 1, 2}, {-2, -1, 1}, {-1, 1}}) {
    ExpectListed(LinesOf({4, 6, 8, 12}), LinesOf({5, 13, 24}),
                 [&](const Context& c) { return SetOf(c, hops); });
  }
}

TEST(Neighbours, OnATorusStandInAscendingOrder) {
  const Listed around = [](const Context& c) {
    std::vector<int64_t> ranks;
    for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      const int64_t x = (c.at[0] + dx + c.dim(0)) % c.dim(0);
      const int64_t y = (c.at[1] + dy + c.dim(1)) % c.dim(1);
      ranks.push_back(x * c.dim(1) + y);
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
  };
  ExpectListed({{{3, 3}}, {{4, 3}}, {{5, 4}}}, {{{6, 7}}, {{3, 8}}}, around);
}

// On rows of three who is next and the rank itself are all of the row in turn,
// which goes on where rows are longer.
TEST(Neighbours, AllOfARowInTurnAreNoNeighboursInAscendingOrder) {
  const Listed row = [](const Context& c) {
    std::vector<int64_t> ranks;
    for (int64_t x = 0; x < c.dim(1); ++x) {
      ranks.push_back(c.at[0] * c.dim(1) + x);
    }
    return ranks;
  };
  const std::vector<Grid> rows{{{3, 2}}, {{3, 3}}, {{4, 3}}, {{6, 3}}};
  for (const auto& list : FindNeighbours(ListsOn(rows, row), 2)) {
    EXPECT_FALSE(list->ascending) << list->ToString();
  }
}

// Half of the ranks on, and one more: no neighbours, but in ascending order.
TEST(Neighbours, RanksFarOnStandInAscendingOrder) {
  const Listed far = [](const Context& c) {
    return SetOf(c, {c.ranks() / 2, c.ranks() / 2 + 1});
  };
  SearchSpace space;
  space.ranked = true;
  const auto lines = LinesOf({4, 6, 8, 12, 16});
  const auto law = FindSequenceLaw(ListsOn(lines, far), space, nullptr);
  ASSERT_TRUE(law.has_value());
  const auto unseen = LinesOf({24, 50});
  for (const RankPattern& p : ListsOn(unseen, far)) {
    ASSERT_EQ(law->At(p.where, {}), p.pattern) << law->ToString();
  }
}

// What each neighbour gets stands in their order.
TEST(Neighbours, AmountsStandInAscendingOrderOfRanks) {
  const std::vector<int64_t> hops{-1, 1, 2};
  const Listed ranks = [&](const Context& c) { return SetOf(c, hops); };
  const Listed amounts = [&](const Context& c) {
    std::vector<int64_t> values;
    for (const int64_t to : ranks(c)) values.push_back(4 + 2 * (to % 3));
    return values;
  };
  const auto lines = LinesOf({4, 6, 8, 12, 16});
  const auto lists = FindNeighbours(ListsOn(lines, ranks), 1);
  ASSERT_FALSE(lists.empty());
  const auto law =
      FindSequenceLaw(ListsOn(lines, amounts), SearchSpace(), lists[0]);
  ASSERT_TRUE(law.has_value());
  const auto unseen = LinesOf({24, 25});
  for (const RankPattern& p : ListsOn(unseen, amounts)) {
    ASSERT_EQ(law->At(p.where, {}), p.pattern) << law->ToString();
  }
}

// Odd-even partners on all ranks but so many of the first and the last.
std::vector<int64_t> PartnersOfPart(const Context& c, int64_t first,
                                    int64_t last) {
  const int64_t me = c.rank - first, n = c.ranks() - first - last;
  std::vector<int64_t> partners;
  for (const int64_t round : {0, 1}) {
    const int64_t to = (me + round) % 2 == 0 ? me + 1 : me - 1;
    const bool is_one = me >= 0 && me < n && to >= 0 && to < n;
    if (is_one) partners.push_back(to + first);
  }
  return partners;
}

TEST(Neighbours, PairOffOnAPartOfALine) {
  for (const auto& [first, last] :
       {std::pair<int64_t, int64_t>{0, 1}, {1, 0}, {0, 2}, {1, 1}}) {
    ExpectListed(
        LinesOf({6, 8, 12}), LinesOf({4, 7, 24, 25}),
        [&](const Context& c) { return PartnersOfPart(c, first, last); });
  }
}

// One size does not tell so many at an end from a part of all.
TEST(Neighbours, OneSizeDoesNotShowAPartOfALine) {
  const Listed partners = [](const Context& c) {
    return PartnersOfPart(c, 0, 1);
  };
  const auto lines = LinesOf({8});
  EXPECT_TRUE(FindNeighbours(ListsOn(lines, partners), 1).empty());
}

TEST(Neighbours, APartThatGrowsIsNotSoManyRanks) {
  const Listed partners = [](const Context& c) {
    return PartnersOfPart(c, 0, c.ranks() / 4);
  };
  const auto lines = LinesOf({8, 12, 16});
  EXPECT_TRUE(FindNeighbours(ListsOn(lines, partners), 1).empty());
}

}  // namespace
}  // namespace ranksight::online_model
