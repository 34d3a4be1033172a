#include "online_model/structure/candidate_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "online_model/structure/grid.h"
#include "online_model/structure/rival_rules.h"

namespace ranksight::online_model {
namespace {

using Dims = std::vector<int64_t>;

// Each rank has its neighbours on an open grid for peers.
SeenPeers PeersOn(const Dims& dims, RankOrder order = RankOrder::kRows) {
  const Grid grid{dims, order};
  SeenPeers seen{grid.ranks(), {}, false};
  for (int64_t r = 0; r < seen.ranks; ++r) {
    for (size_t d = 0; d < dims.size(); ++d) {
      for (const int64_t by : {-1, 1}) {
        Coordinates at = grid.At(r);
        at[d] += by;
        if (at[d] < 0 || at[d] >= dims[d]) continue;
        seen.pairs.emplace_back(r, grid.RankOf(at));
      }
    }
  }
  return seen;
}

TEST(CandidateRules, PutsTheRuleThatGivesTheRecordedShapesFirst) {
  const auto rules = CandidateRules(
      {8, 12, 18}, {{8, {2, 2, 2}}, {12, {3, 2, 2}}, {18, {3, 3, 2}}}, {});
  ASSERT_FALSE(rules.empty());
  EXPECT_EQ(rules[0].kind, DimsRule::Kind::kBalanced);
  EXPECT_EQ(rules[0].ndims, 3);
}

TEST(CandidateRules, ASideThatWasNeverLongerThanOneIsNoneUnlessItWasRecorded) {
  const auto ndims = [](const std::vector<DimsRule>& rules) {
    std::set<int> all;
    for (const DimsRule& rule : rules) all.insert(rule.ndims);
    return all;
  };
  // 2, 3, 2x2 and 3x2: nothing has three sides.
  EXPECT_EQ(ndims(CandidateRules({2, 3, 4, 6}, {}, {})), (std::set<int>{1, 2}));
  EXPECT_EQ(ndims(CandidateRules({4, 6, 8}, {}, {})), (std::set<int>{1, 2, 3}));
  const auto rules =
      CandidateRules({2, 3, 5}, {{2, {2, 1}}, {3, {3, 1}}, {5, {5, 1}}}, {});
  ASSERT_FALSE(rules.empty());
  EXPECT_EQ(rules[0].kind, DimsRule::Kind::kBalanced);
}

// A mesh three times as long as wide, cut for the least surface.
TEST(CandidateRules, PeersThatAreNextToOneAnotherTellTheGrid) {
  const std::vector<SeenPeers> peers = {PeersOn({2, 6}), PeersOn({3, 8}),
                                        PeersOn({4, 12})};
  const auto rules = CandidateRules({12, 24, 48}, {}, peers);
  ASSERT_FALSE(rules.empty());
  const auto is_it = [](const DimsRule& r) {
    return r.DimsFor(12) == Dims{2, 6} && r.DimsFor(24) == Dims{3, 8} &&
           r.DimsFor(48) == Dims{4, 12};
  };
  const auto found = std::find_if(rules.begin(), rules.end(), is_it);
  ASSERT_NE(found, rules.end());
  EXPECT_FALSE(found->mesh.empty());
}

TEST(CandidateRules, GridsOfNoRuleAreThoseOnWhichPeersAreAllNeighbours) {
  const std::vector<int64_t> sizes = {4, 6, 8, 12, 16};
  const std::vector<Dims> dims = {{2, 2}, {3, 2}, {2, 4}, {6, 2}, {4, 4}};
  std::vector<SeenPeers> peers;
  for (const Dims& d : dims) peers.push_back(PeersOn(d));
  const auto is_given = [](const DimsRule& rule) {
    return rule.kind == DimsRule::Kind::kGiven;
  };
  const auto rules = CandidateRules(sizes, {}, peers);
  const auto seen = std::find_if(rules.begin(), rules.end(), is_given);
  ASSERT_NE(seen, rules.end());
  for (size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_EQ(seen->given.at(sizes[i]), dims[i]);
  }
  // One rank that talks to somebody else.
  peers[3].pairs.push_back({0, 7});
  const auto others = CandidateRules(sizes, {}, peers);
  EXPECT_TRUE(std::none_of(others.begin(), others.end(), is_given));
}

// Pools and groups in them, as many as the program says, by communicators along
// all three sides.
TEST(CandidateRules, AllSidesButOneMayBeConstants) {
  const auto is_it = [](const DimsRule& rule) {
    return rule.kind == DimsRule::Kind::kOneFree;
  };
  const std::vector<int64_t> sizes = {8, 16, 24, 40};
  for (size_t free = 0; free < 3; ++free) {
    const auto dims = [free](int64_t n) {
      Dims dims = {2, 4};
      dims.insert(dims.begin() + ptrdiff_t(free), n / 8);
      return dims;
    };
    Shapes lines;
    for (const int64_t n : sizes) lines[n] = {dims(n)};
    const auto rules = CandidateRules(sizes, {}, {}, {}, lines);
    const auto found = std::ranges::find_if(rules, is_it);
    ASSERT_NE(found, rules.end());
    EXPECT_EQ(found->DimsFor(80), dims(80));
  }
  // Two lengths of the other side show no rule.
  const Shapes two = {{8, {2, 1, 4}}, {24, {2, 3, 4}}};
  const auto few = CandidateRules({8, 24}, {}, {}, {}, two);
  EXPECT_TRUE(std::ranges::none_of(few, is_it));
}

TEST(CandidateRules, PeersTellTheOrderOfRanks) {
  using enum RankOrder;
  for (const RankOrder order : {kRows, kBackAndForth, kMorton}) {
    const std::vector<SeenPeers> peers = {
        PeersOn({4, 2}, order), PeersOn({4, 4}, order), PeersOn({8, 4}, order)};
    const auto rules = CandidateRules({8, 16, 32}, {}, peers);
    ASSERT_FALSE(rules.empty());
    EXPECT_EQ(rules[0].order, order);
    EXPECT_EQ(rules[0].DimsFor(32), (Dims{8, 4}));
  }
}

// Rows alone are communicators, their ranks from end to end.
SeenPeers RowsOf(const Dims& dims, RankOrder order) {
  const Grid grid{dims, order};
  SeenPeers seen{grid.ranks(), {}, true};
  for (int64_t r = 0; r < seen.ranks; ++r) {
    Coordinates at = grid.At(r);
    if (++at[1] < dims[1]) seen.pairs.emplace_back(r, grid.RankOf(at));
  }
  return seen;
}

TEST(CandidateRules, MembersOfRowsTellTheOrderOfRanks) {
  using enum RankOrder;
  const std::vector<SeenPeers> members = {RowsOf({3, 2}, kBackAndForth),
                                          RowsOf({4, 3}, kBackAndForth),
                                          RowsOf({5, 4}, kBackAndForth)};
  const auto rules = CandidateRules({6, 12, 20}, {}, members);
  ASSERT_FALSE(rules.empty());
  EXPECT_EQ(rules[0].order, kBackAndForth);
  EXPECT_EQ(rules[0].DimsFor(20), (Dims{5, 4}));
}

TEST(CandidateRules, MembersOfRowsTellTheOrderWhateverIsSentElsewhere) {
  using enum RankOrder;
  std::vector<SeenPeers> seen;
  for (const Dims& dims : {Dims{3, 2}, Dims{4, 3}, Dims{5, 4}}) {
    seen.push_back(RowsOf(dims, kBackAndForth));
    seen.back().members.swap(seen.back().pairs);
    seen.back().are_members = false;
    // A tree over all ranks.
    for (int64_t r = 1; r < seen.back().ranks; ++r) {
      seen.back().pairs.emplace_back(r, r & (r - 1));
    }
  }
  const auto rules = CandidateRules({6, 12, 20}, {}, seen);
  ASSERT_FALSE(rules.empty());
  EXPECT_EQ(rules[0].order, kBackAndForth);
  EXPECT_EQ(rules[0].DimsFor(20), (Dims{5, 4}));
}

// On so few ranks most are next to one another along a line, too.
TEST(CandidateRules, SmallGridsTellTheOrderOfRanksAsWell) {
  using enum RankOrder;
  const std::vector<SeenPeers> peers = {PeersOn({2, 2}, kBackAndForth),
                                        PeersOn({3, 2}, kBackAndForth),
                                        PeersOn({3, 3}, kBackAndForth)};
  const auto rules = CandidateRules({4, 6, 9}, {}, peers);
  const auto is_it = [](const DimsRule& r) {
    return r.order == kBackAndForth && r.DimsFor(9) == Dims{3, 3};
  };
  EXPECT_TRUE(std::any_of(rules.begin(), rules.end(), is_it));
}

TEST(Grid, CountsRanksInItsOrder) {
  const Grid rows{{2, 3}};
  const Grid winding{{2, 3}, RankOrder::kBackAndForth};
  const Grid morton{{2, 4}, RankOrder::kMorton};
  const auto in_turn = [](const Grid& grid) {
    std::vector<Dims> places;
    for (int64_t r = 0; r < grid.ranks(); ++r) {
      const Coordinates at = grid.At(r);
      EXPECT_EQ(grid.RankOf(at), r);
      places.push_back({at[0], at[1]});
    }
    return places;
  };
  EXPECT_EQ(
      in_turn(rows),
      (std::vector<Dims>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(
      in_turn(winding),
      (std::vector<Dims>{{0, 0}, {0, 1}, {0, 2}, {1, 2}, {1, 1}, {1, 0}}));
  EXPECT_EQ(
      in_turn(morton),
      (std::vector<Dims>{
          {0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}));
}

TEST(CandidateRules, RulesByAMeshComeInOnlyWhereTheyExplainMore) {
  const auto by_mesh = [](const DimsRule& r) { return !r.mesh.empty(); };
  const auto none = CandidateRules({12, 24, 48}, {}, {});
  EXPECT_TRUE(std::none_of(none.begin(), none.end(), by_mesh));
  const std::vector<SeenPeers> peers = {PeersOn({12}), PeersOn({24})};
  const auto line = CandidateRules({12, 24}, {}, peers);
  EXPECT_TRUE(std::none_of(line.begin(), line.end(), by_mesh));
  EXPECT_EQ(line[0].ndims, 1);
}

TEST(CandidateRules, WhereMpiMadeTheGridsTheyAreThoseOrALine) {
  const auto rules = CandidateRules({4, 9, 16}, {}, {}, {2});
  ASSERT_FALSE(rules.empty());
  for (const DimsRule& rule : rules) {
    EXPECT_TRUE(rule.ndims == 1 ||
                (rule.kind == DimsRule::Kind::kBalanced && rule.ndims == 2))
        << rule.ToString();
  }
  // Without, squares come first, and those have no grid of 32 ranks.
  EXPECT_FALSE(std::any_of(rules.begin(), rules.end(),
                           [](const DimsRule& r) { return !r.DimsFor(32); }));
  const auto unknown = CandidateRules({4, 9, 16}, {}, {});
  EXPECT_TRUE(std::any_of(unknown.begin(), unknown.end(),
                          [](const DimsRule& r) { return !r.DimsFor(32); }));
}

// Neighbours on 3x2x2 and 4x3x2 are two apart on 3x4 and 4x6.
TEST(NearerRules, HaveMoreSidesAlongWhichAllPeersAreNext) {
  const DimsRule plane{DimsRule::Kind::kBalanced, 2, true, 0, {}};
  const std::vector<int64_t> sizes = {12, 24};
  const std::vector solid = {PeersOn({3, 2, 2}), PeersOn({4, 3, 2})};
  const std::vector flat = {PeersOn({3, 4}), PeersOn({4, 6})};
  const auto nearer = NearerRules(plane, sizes, solid);
  ASSERT_FALSE(nearer.empty());
  EXPECT_EQ(nearer[0].DimsFor(12), (Dims{3, 2, 2}));
  EXPECT_EQ(nearer[0].DimsFor(24), (Dims{4, 3, 2}));
  EXPECT_TRUE(NearerRules(plane, sizes, flat).empty());
}

TEST(AreSidesTakenEverywhere, NotByBlocksWhoseFirstRanksAloneTalkToOthers) {
  const DimsRule columns{DimsRule::Kind::kFixed, 2, false, 2, {}};
  const std::vector plane = {PeersOn({4, 2}), PeersOn({6, 2})};
  EXPECT_TRUE(AreAllNear(columns, plane));
  EXPECT_TRUE(AreSidesTakenEverywhere(columns, plane));
  const std::vector<SeenPeers> blocks = {
      {8, {{0, 1}, {0, 2}, {2, 3}, {2, 4}, {4, 5}, {4, 6}, {6, 7}}}};
  EXPECT_TRUE(AreAllNear(columns, blocks));
  EXPECT_FALSE(AreSidesTakenEverywhere(columns, blocks));
}

TEST(SidesTaken, AreThoseThatPeersAreApartAlong) {
  const DimsRule plane{DimsRule::Kind::kEqual, 2, false, 0, {}};
  EXPECT_EQ(SidesTaken(plane, std::vector{PeersOn({3, 3})}), 0b11u);
  const std::vector<SeenPeers> rows = {{9, {{0, 1}, {1, 2}, {4, 5}}}};
  EXPECT_EQ(SidesTaken(plane, rows), 0b10u);
}

TEST(CandidateRules, OneLongSideDoesNotTellTheOrderOfRanks) {
  const DimsRule rule{DimsRule::Kind::kLeastSurface,
                      3,
                      false,
                      0,
                      {},
                      {2, 1, 1},
                      RankOrder::kRows};
  EXPECT_TRUE(MayBeInMortonOrder(rule, {2, 4, 16}, 64));
  EXPECT_FALSE(
      MayBeInMortonOrder(rule, {2, 4, 12}, 64));  // 12: no Morton order
  EXPECT_FALSE(MayBeInMortonOrder(rule, {2, 4, 64}, 128));
}

// Ranks one and two on around a ring of twelve are near on three columns,
// corners counted, though nobody talks to the next row.
TEST(AreAllNextPeers, NotOnAGridThatARingIsNearOn) {
  const DimsRule plane{DimsRule::Kind::kBalanced, 2, false, 0, {}};  // 4x3
  SeenPeers ring{12, {}, false};
  for (int64_t r = 0; r < ring.ranks; ++r) {
    for (const int64_t by : {1, 2, 10, 11}) {
      ring.pairs.emplace_back(r, (r + by) % ring.ranks);
    }
  }
  const std::vector<SeenPeers> rings = {ring}, grids = {PeersOn({4, 3})};
  EXPECT_TRUE(AreAllNear(plane, rings));
  EXPECT_FALSE(AreAllNextPeers(plane, rings));
  EXPECT_TRUE(AreAllNextPeers(plane, grids));
}

}  // namespace
}  // namespace ranksight::online_model
