#include "online_model/structure/rival_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "online_model/structure/grid.h"

namespace ranksight::online_model {
namespace {

using Dims = std::vector<int64_t>;

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

// 2x2x2 to 2x2x4: two pools of two groups, or as even as can be.
TEST(OtherRules, AllSidesButOneMayBeConstants) {
  const auto at_48 = [](const DimsRule& rule, const Dims& sizes) {
    std::set<Dims> shapes;
    for (const DimsRule& other :
         OtherRules(rule, sizes, {}, MadeBy::kProgram, 48)) {
      if (const auto dims = other.DimsFor(48)) shapes.insert(*dims);
    }
    return shapes;
  };
  const DimsRule even{DimsRule::Kind::kBalanced, 3, true};
  EXPECT_TRUE(at_48(even, {8, 12, 16}).count({2, 2, 12}));
  EXPECT_FALSE(at_48(even, {8, 12, 18}).count({2, 2, 12}));
  DimsRule pools{DimsRule::Kind::kOneFree, 3};
  pools.constants = {2, 2, 0};
  EXPECT_TRUE(at_48(pools, {8, 12, 16}).count({3, 4, 4}));
  // No rule gives 2x2x1 of 4 and 2x2x4 of 16 ranks but this one.
  EXPECT_EQ(at_48(pools, {4, 8, 12, 16}), (std::set<Dims>{{2, 2, 12}}));
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

}  // namespace
}  // namespace ranksight::online_model
