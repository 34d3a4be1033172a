#include "online_model/structure/candidate_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "online_model/structure/grid.h"

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

TEST(RulesOfMesh, AreThoseThatLayOutTheRunsAlike) {
  // Twice as long as wide, and near MPI_Dims_create at few ranks.
  const DimsRule balanced{DimsRule::Kind::kBalanced, 2, false, 0, {}};
  const auto rules = RulesOfMesh({250, 127}, balanced, {6, 8, 12});
  ASSERT_FALSE(rules.empty());
  EXPECT_EQ(rules[0].DimsFor(36), (Dims{9, 4}));
  EXPECT_TRUE(RulesOfMesh({127, 250}, balanced, {6, 8, 12}).empty());
  EXPECT_TRUE(RulesOfMesh({250}, balanced, {6, 8, 12}).empty());
}

TEST(OtherRules, AGridTwoRanksWideMayBeALongMesh) {
  const DimsRule two{DimsRule::Kind::kFixed, 2, true, 2};
  std::set<Dims> at_40;
  for (const DimsRule& other :
       OtherRules(two, {6, 8, 10, 12, 20}, {}, MadeBy::kUnknown, 40)) {
    at_40.insert(*other.DimsFor(40));
  }
  EXPECT_TRUE(at_40.count({4, 10}));
  // 2 x 2 of 4 and 2 x 12 of 24 ranks: no mesh is so.
  EXPECT_EQ(
      OtherRules(two, {4, 8, 12, 16, 24}, {}, MadeBy::kUnknown, 48).size(), 1);
}

// 8, 10, 12 and 20 ranks as square as can be. In blocks of 60x100 points 5x8
// has 12 by 13 of them, 4x10 has 15 by 10: 25 each, and the first is taken.
TEST(OtherRules, WhatIsLeftOverOfBlocksDecidesBetweenShapes) {
  const DimsRule even{DimsRule::Kind::kBalanced, 2, true};
  const auto shapes = [&even](MadeBy made_by, int64_t ranks) {
    std::set<Dims> found;
    for (const DimsRule& other :
         OtherRules(even, {8, 10, 12, 20}, {}, made_by, ranks)) {
      found.insert(*other.DimsFor(ranks));
    }
    return found;
  };
  EXPECT_TRUE(shapes(MadeBy::kProgram, 40).count({4, 10}));
  EXPECT_TRUE(shapes(MadeBy::kUnknown, 40).empty());
}

// 4x16 is 8x8 for one of a hundred meshes: most programs do not ask for one.
TEST(OtherRules, AnOddMeshAloneIsNoRival) {
  const DimsRule even{DimsRule::Kind::kBalanced, 2, true};
  for (const DimsRule& other :
       OtherRules(even, {4, 8, 16, 32}, {}, MadeBy::kProgram, 64)) {
    EXPECT_EQ(*other.DimsFor(64), (Dims{8, 8})) << other.ToString();
  }
}

// 4x1x3, 4x1x4, 4x2x3 and 4x2x4. Of nearly all meshes cut so 8x2x4 has the
// least surface next; blocks of 25x24x12 points, 4x2x8, have less than
// 13x24x24.
TEST(OtherRules, WhatAsksForAMeshMayAskForAnOddOne) {
  const DimsRule by_mesh{
      DimsRule::Kind::kLeastSurface, 3, false, 0, {}, {3, 1, 2}};
  std::set<Dims> at_64;
  for (const DimsRule& other :
       OtherRules(by_mesh, {12, 16, 24, 32}, {}, MadeBy::kProgram, 64)) {
    at_64.insert(*other.DimsFor(64));
  }
  EXPECT_TRUE(at_64.count({8, 2, 4}));
  EXPECT_TRUE(at_64.count({4, 2, 8}));
}

// Laws show sides of 101 points each, of which a program need not ask: 96 and
// 101 are cut alike as far as 40 ranks.
TEST(OtherRules, LawsMayShowOneSideOfTheMeshAlone) {
  const DimsRule halves{DimsRule::Kind::kHalves, 2, false, 0, {}, {101, 101}};
  std::set<Dims> at_80;
  for (const DimsRule& other :
       OtherRules(halves, {8, 10, 12, 20}, {101, 101}, MadeBy::kProgram, 80)) {
    at_80.insert(*other.DimsFor(80));
  }
  EXPECT_TRUE(at_80.count({10, 8}));
  EXPECT_TRUE(at_80.count({8, 10}));
}

// 6, 9, 12 and 18 ranks as 2x3, 3x3, 4x3 and 6x3: three columns, or as square
// as can be with the longer side now here, now there.
TEST(OtherRules, AGridThreeRanksWideMayBeAsSquareAsCanBe) {
  const DimsRule three{DimsRule::Kind::kFixed, 2, false, 3};
  const auto gives = [&](const std::vector<int64_t>& sizes) {
    std::set<Dims> at_36;
    for (const DimsRule& o :
         OtherRules(three, sizes, {}, MadeBy::kUnknown, 36)) {
      at_36.insert(*o.DimsFor(36));
    }
    return at_36.count({6, 6});
  };
  EXPECT_TRUE(gives({6, 9, 12, 18}));
  EXPECT_FALSE(gives({3, 6, 9, 12, 24}));  // 8x3, where 6x4 is more square
}

// Nobody need doubt what MPI itself made; what looks like it may be a mesh cut
// for the least surface.
TEST(OtherRules, MpiIsTakenAtItsWordAndAProgramIsNot) {
  const DimsRule balanced{DimsRule::Kind::kBalanced, 2};
  const std::vector<int64_t> sizes{6, 9, 12, 18};
  EXPECT_TRUE(OtherRules(balanced, sizes, {}, MadeBy::kMpi, 36).empty());
  EXPECT_TRUE(OtherRules(balanced, sizes, {}, MadeBy::kUnknown, 36).empty());
  std::set<Dims> at_36;
  for (const DimsRule& o :
       OtherRules(balanced, sizes, {}, MadeBy::kProgram, 36)) {
    EXPECT_EQ(o.DimsFor(18), balanced.DimsFor(18));
    at_36.insert(*o.DimsFor(36));
  }
  EXPECT_TRUE(at_36.count({6, 6}));
  EXPECT_TRUE(at_36.count({9, 4}));
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

// As long, and with ranks as far apart, as the first side of the other.
bool HasFirstSideOf(const DimsRule& other, const DimsRule& rule, int64_t n) {
  const Dims dims = *rule.DimsFor(n), first = *other.DimsFor(n);
  int64_t apart = n;
  for (const int64_t side : dims) {
    apart /= side;
    if (side == first[0] && apart == n / first[0]) return true;
  }
  return false;
}

const DimsRule kLine{DimsRule::Kind::kLine, 1};

TEST(RivalOfLine, PairsMayBeTheLastSideOfAGrid) {
  const std::vector<int64_t> sizes{8, 12, 16};
  std::vector<SeenPeers> pairs, line;
  for (const int64_t n : sizes) {
    pairs.push_back({n, {}, false, false});
    line.push_back({n, {}, false, false});
    for (int64_t r = 1; r < n; ++r) {
      if (r % 2 == 1) pairs.back().pairs.emplace_back(r - 1, r);
      line.back().pairs.emplace_back(r - 1, r);
    }
  }
  // 2x2x2, 3x2x2 and 4x2x2 so far.
  const auto rival = RivalOfLine(kLine, pairs, sizes, 64);
  ASSERT_TRUE(rival.has_value());
  EXPECT_EQ(rival->DimsFor(64), (Dims{4, 4, 4}));
  EXPECT_FALSE(RivalOfLine(kLine, pairs, sizes, 20).has_value());
  EXPECT_FALSE(RivalOfLine(kLine, line, sizes, 64).has_value());
  // What is seen as a grid of two columns has pairs; one of four columns need
  // not be one.
  const DimsRule two{DimsRule::Kind::kFixed, 2, false, 2};
  EXPECT_FALSE(RivalOfLine(two, pairs, sizes, 64).has_value());
  const DimsRule four{DimsRule::Kind::kFixed, 2, false, 4};
  EXPECT_TRUE(RivalOfLine(four, pairs, sizes, 64).has_value());
}

// Six ranks in a row may be the last side of 1x2x6, 1x3x6, 2x2x6 and 2x3x6,
// whose mesh is about four times as long along it: 72 ranks would be 2x4x9.
// Pairs are taken at their word.
TEST(RivalOfLine, SixInARowMayBeTheLongSideOfAMesh) {
  const std::vector<int64_t> sizes{12, 18, 24, 36};
  const auto blocks_of = [&](int64_t block) {
    std::vector<SeenPeers> blocks;
    for (const int64_t n : sizes) {
      blocks.push_back({n, {}, false, false});
      for (int64_t r = 1; r < n; ++r) {
        if (r % block != 0) blocks.back().pairs.emplace_back(r - 1, r);
      }
    }
    return blocks;
  };
  const DimsRule six{DimsRule::Kind::kFixed, 2, false, 6};
  for (const DimsRule& rule : {kLine, six}) {
    const auto rival = RivalOfLine(rule, blocks_of(6), sizes, 72);
    ASSERT_TRUE(rival.has_value()) << rule.ToString();
    EXPECT_NE(rival->DimsFor(72)->back(), 6);
  }
  const DimsRule two{DimsRule::Kind::kFixed, 2, false, 2};
  EXPECT_FALSE(RivalOfLine(two, blocks_of(2), sizes, 72).has_value());
}

// 2x1x1 and 2x2x1, where nobody has another rank along the last side, then
// 2x2x2 and 4x2x2.
TEST(RivalOfLine, WhoTalksToNobodyMayBeOnASideOfOneRank) {
  std::vector<SeenPeers> pairs{{2, {}}, {4, {}}, {8, {}}, {16, {}}};
  for (SeenPeers& run : pairs) {
    for (int64_t r = 0; r < run.ranks && run.ranks > 4; r += 2) {
      run.pairs.emplace_back(r + 1, r);
    }
  }
  const auto rival = RivalOfLine(kLine, pairs, {2, 4, 8, 16}, 64);
  ASSERT_TRUE(rival.has_value());
  EXPECT_EQ(rival->DimsFor(64), (Dims{4, 4, 4}));
  EXPECT_FALSE(RivalOfLine(kLine, {pairs.data(), 2}, {2, 4}, 64).has_value());
}

// Who is half of the ranks away may be the other row of a grid.
TEST(RivalOfLine, HalvesMayBeTheFirstSideOfAGrid) {
  const std::vector<int64_t> sizes{8, 12, 16, 24};
  std::vector<SeenPeers> halves, next;
  for (const int64_t n : sizes) {
    halves.push_back({n, {}, false, false});
    next.push_back({n, {}, false, false});
    for (int64_t r = 0; r < n / 2; ++r) {
      halves.back().pairs.emplace_back(r, r + n / 2);
      next.back().pairs.emplace_back(r, r + n / 2);
      next.back().pairs.emplace_back(r, r + 1);
    }
  }
  // 2x2x2, 2x2x3, 2x2x4 and 2x3x4 so far.
  const auto rival = RivalOfLine(kLine, halves, sizes, 64);
  ASSERT_TRUE(rival.has_value());
  EXPECT_EQ(rival->DimsFor(64), (Dims{4, 4, 4}));
  EXPECT_FALSE(RivalOfLine(kLine, halves, sizes, 20).has_value());
  EXPECT_FALSE(RivalOfLine(kLine, next, sizes, 64).has_value());
}

TEST(RivalAlong, WhoTalksAlongOneSideMayBeOnAnotherGrid) {
  const DimsRule cube{DimsRule::Kind::kBalanced, 3, false, 0, {}};
  const std::vector<int64_t> sizes = {8, 16, 32};
  const auto rival = RivalAlong(cube, 0b001, SideSeen::kRanks, sizes, 128);
  ASSERT_TRUE(rival.has_value());
  for (const int64_t n : sizes) EXPECT_TRUE(HasFirstSideOf(cube, *rival, n));
  EXPECT_FALSE(HasFirstSideOf(cube, *rival, 128));
  EXPECT_FALSE(RivalAlong(cube, 0, SideSeen::kRanks, sizes, 128).has_value());
}

// 2, 4 and 8 rows of a square may be those of a mesh; 3 and 5 are of a program
// that asks for squares.
TEST(RivalAlong, SquaresOfPowersOfTwoAreNoSquaresForSure) {
  const DimsRule square{DimsRule::Kind::kEqual, 2};
  const auto rival =
      RivalAlong(square, 0b01, SideSeen::kRanks, {4, 16, 64}, 1024);
  ASSERT_TRUE(rival.has_value());
  EXPECT_TRUE(rival->IsByMesh());
  EXPECT_NE(rival->DimsFor(1024), square.DimsFor(1024));
  const auto of_others =
      RivalAlong(square, 0b01, SideSeen::kRanks, {4, 9, 25}, 1225);
  EXPECT_FALSE(of_others && of_others->IsByMesh());
}

// Back and forth, who is next along the first side depends on the others, too:
// grids whose first sides are alike row by row are not.
TEST(RivalAlong, KnowsRanksThatAreNumberedBackAndForth) {
  DimsRule cube{DimsRule::Kind::kBalanced, 3, false, 0, {}};
  cube.order = RankOrder::kBackAndForth;
  const std::vector<int64_t> sizes = {8, 16, 32};
  EXPECT_FALSE(
      RivalAlong(cube, 0b001, SideSeen::kRanks, sizes, 128).has_value());
  // The last side is two ranks long.
  const auto rival = RivalAlong(cube, 0b100, SideSeen::kLength, sizes, 128);
  ASSERT_TRUE(rival.has_value());
  EXPECT_NE(rival->DimsFor(128), cube.DimsFor(128));
  const auto has_two = [&rival](int64_t n) {
    const Dims dims = *rival->DimsFor(n);
    return std::count(dims.begin(), dims.end(), 2) > 0;
  };
  for (const int64_t n : sizes) EXPECT_TRUE(has_two(n)) << n;
}

// A mesh of 10x6x1 is cut along two sides up to some size.
TEST(RuleOfHiddenSide, IsOneLongInAllRunsAndNotAtTheTarget) {
  const DimsRule plane{DimsRule::Kind::kBalanced, 2, false, 0, {}};
  const std::vector<int64_t> sizes = {4, 6, 8, 12};
  const auto hidden = RuleOfHiddenSide(plane, sizes, 64);
  ASSERT_TRUE(hidden.has_value());
  for (const int64_t n : sizes) {
    Dims dims = *hidden->DimsFor(n);
    ASSERT_EQ(dims.size(), 3u);
    std::erase(dims, 1);
    EXPECT_EQ(dims, *plane.DimsFor(n)) << n;
  }
  const Dims target = *hidden->DimsFor(64);
  EXPECT_EQ(std::count(target.begin(), target.end(), 1), 0);
  EXPECT_FALSE(RuleOfHiddenSide(plane, {4, 6, 8, 12, 64}, 64).has_value());
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
