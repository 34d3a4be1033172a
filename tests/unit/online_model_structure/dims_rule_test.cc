#include "online_model/structure/dims_rule.h"

#include <gtest/gtest.h>

#include <utility>

namespace ranksight::online_model {
namespace {

using Dims = std::vector<int64_t>;

// Expected shapes as MPICH 4.0.2 printed them.
TEST(DimsCreate, GivesTheShapesOfMpich) {
  EXPECT_EQ(DimsCreate(12, 2), (Dims{4, 3}));
  EXPECT_EQ(DimsCreate(18, 3), (Dims{3, 3, 2}));
  EXPECT_EQ(DimsCreate(64, 3), (Dims{4, 4, 4}));
  EXPECT_EQ(DimsCreate(17, 3), (Dims{17, 1, 1}));
}

TEST(DimsCreate, PrefersTheLargerTailAmongEquallyBalancedShapes) {
  EXPECT_EQ(DimsCreate(360, 3), (Dims{10, 6, 6}));     // not 9x8x5
  EXPECT_EQ(DimsCreate(5040, 3), (Dims{21, 16, 15}));  // not 20x18x14
  EXPECT_EQ(DimsCreate(20, 4), (Dims{5, 2, 2, 1}));    // not 5x4x1x1
  EXPECT_EQ(DimsCreate(168, 4), (Dims{7, 4, 3, 2}));   // not 7x6x2x2
}

TEST(DimsRule, ASquareHasNoShapeBetweenSquares) {
  DimsRule square;
  square.kind = DimsRule::Kind::kEqual;
  square.ndims = 2;
  EXPECT_EQ(square.DimsFor(49), (Dims{7, 7}));
  EXPECT_FALSE(square.DimsFor(48).has_value());
  EXPECT_EQ(NearbySizes(square, 48, 2), (Dims{36, 49}));
}

TEST(DimsRule, OneSideTakesWhatTheConstantsLeave) {
  DimsRule pools{DimsRule::Kind::kOneFree, 3};
  pools.constants = {2, 0, 4};
  EXPECT_EQ(pools.DimsFor(8), (Dims{2, 1, 4}));
  EXPECT_EQ(pools.DimsFor(40), (Dims{2, 5, 4}));
  EXPECT_FALSE(pools.DimsFor(12).has_value());
  EXPECT_EQ(NearbySizes(pools, 20, 2), (Dims{16, 24}));
  EXPECT_EQ(pools.ToString(), "3-D grid of 2xN/8x4");
}

DimsRule ByMesh(DimsRule::Kind kind, Dims mesh, bool reversed = false) {
  return {kind, int(mesh.size()), reversed, 0, {}, std::move(mesh)};
}

// Sides as the loops over all divisors of four public programs give them.
TEST(DimsRule, LeastSurfaceFollowsTheMesh) {
  using Kind = DimsRule::Kind;
  const DimsRule wide = ByMesh(Kind::kLeastSurface, {1, 3});
  EXPECT_EQ(wide.DimsFor(12), (Dims{2, 6}));
  EXPECT_EQ(wide.DimsFor(48), (Dims{4, 12}));
  const DimsRule cube = ByMesh(Kind::kLeastSurface, {1, 1, 1});
  EXPECT_EQ(cube.DimsFor(12), (Dims{2, 2, 3}));
  EXPECT_EQ(ByMesh(Kind::kLeastSurface, {1, 1, 1}, true).DimsFor(12),
            (Dims{3, 2, 2}));
}

TEST(DimsRule, HalvesCutTheLongestSideOfABlock) {
  using Kind = DimsRule::Kind;
  EXPECT_EQ(ByMesh(Kind::kHalves, {1, 4}).DimsFor(8), (Dims{2, 4}));
  EXPECT_EQ(ByMesh(Kind::kHalves, {1, 4}).DimsFor(2), (Dims{1, 2}));
  EXPECT_EQ(ByMesh(Kind::kHalves, {1, 1}).DimsFor(8), (Dims{4, 2}));
  EXPECT_EQ(ByMesh(Kind::kHalves, {1, 1}, true).DimsFor(8), (Dims{2, 4}));
}

TEST(DimsRule, TheLongestSideIsCutByTheGreatestPrimeFirst) {
  using Kind = DimsRule::Kind;
  // 60 by 40 points: 12 by 40, then 12 by 13, then 12 by 7.
  EXPECT_EQ(ByMesh(Kind::kHalves, {60, 40}).DimsFor(30), (Dims{5, 6}));
  EXPECT_EQ(ByMesh(Kind::kHalves, {1, 1}).DimsFor(12), (Dims{3, 4}));
}

TEST(DimsRule, SurfacesOfBlocksAreOfWholePoints) {
  using Kind = DimsRule::Kind;
  // 4x1 leaves blocks of 3 by 9 points, 2x2 such of 5 by 5, of 10 by 9.
  EXPECT_EQ(ByMesh(Kind::kLeastBlockSurface, {10, 9}).DimsFor(4), (Dims{2, 2}));
  // 5 points in 4 parts are 2 at most, as in 3: 4x3 leaves 2 by 3 points, 3x4
  // leaves 2 by 2.
  EXPECT_EQ(ByMesh(Kind::kLeastBlockSurface, {5, 8}).DimsFor(12), (Dims{3, 4}));
}

}  // namespace
}  // namespace ranksight::online_model
