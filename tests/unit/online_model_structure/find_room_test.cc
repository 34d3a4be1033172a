#include "online_model/structure/find_room.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "online_model/structure/evidence.h"
#include "tests/unit/online_model_structure/formula_laws.h"

namespace ranksight::online_model {
namespace {

using testing::BeginsOf;
using testing::Formula;
using testing::SamplesOn;

// A mesh of which every rank has a block, cut into parts as even as can be.
struct Mesh {
  std::vector<int64_t> sides;

  int64_t PointsAlong(const Context& c, size_t side) const {
    const auto begins = BeginsOf(0, sides[side], c.dim(int(side)));
    const auto x = size_t(c.at[side]);
    return begins[x + 1] - begins[x];
  }
  int64_t MostPointsAlong(const Context& c, size_t side) const {
    const int64_t parts = c.dim(int(side));
    return (sides[side] + parts - 1) / parts;
  }
  // Points of the longest face of the rank's block, or of any rank's.
  int64_t LongestFace(const Context& c, bool of_any) const {
    int64_t longest = 0;
    for (size_t across = 0; across < sides.size(); ++across) {
      int64_t points = 1;
      for (size_t d = 0; d < sides.size(); ++d) {
        if (d == across) continue;
        points *= of_any ? MostPointsAlong(c, d) : PointsAlong(c, d);
      }
      longest = std::max(longest, points);
    }
    return longest;
  }
};

// What a program has said: how many points there are along each side.
SearchSpace WithSidesSaid(const Mesh& mesh, const std::vector<Grid>& runs) {
  SearchSpace space;
  space.ndims = int(mesh.sides.size());
  space.certain = true;
  space.said = std::make_shared<SaidParts>();
  for (size_t side = 0; side < mesh.sides.size(); ++side) {
    const Formula points = [&](const Context& c) {
      return mesh.PointsAlong(c, side);
    };
    EXPECT_TRUE(FindScalarLaw(SamplesOn(runs, points), space)) << side;
  }
  space.room = space.room_for_all = true;
  return space;
}

void ExpectOn(const Grid& target, const ExpressionPtr& law,
              const Formula& value) {
  ASSERT_NE(law, nullptr);
  const std::vector<Grid> targets = {target};
  for (const Sample& s : SamplesOn(targets, value)) {
    ASSERT_EQ(law->At(s.where), s.value) << law->ToString();
  }
}

const std::vector<Grid> kPlanes = {{{2, 2}}, {{3, 2}}, {{2, 4}},
                                   {{3, 4}}, {{4, 4}}, {{5, 3}}};

TEST(FindRoom, IsThatForTheLongestFace) {
  const Mesh mesh{{101, 90}};
  const SearchSpace space = WithSidesSaid(mesh, kPlanes);
  for (const bool of_any : {false, true}) {
    for (const int64_t head : {0, 66}) {
      for (const int64_t times : {1, 2}) {
        const Formula room = [&](const Context& c) {
          return times * mesh.LongestFace(c, of_any) + head;
        };
        ExpectOn({{7, 6}}, FindRoom(SamplesOn(kPlanes, room), space), room);
        ExpectOn({{5, 8}}, FindRoom(SamplesOn(kPlanes, room), space), room);
      }
    }
  }
}

TEST(FindRoom, OfABlockOfThreeSidesIsAProductOfTwo) {
  const Mesh mesh{{101, 67, 90}};
  const std::vector<Grid> runs = {{{2, 2, 2}}, {{3, 2, 2}}, {{2, 4, 2}},
                                  {{3, 3, 4}}, {{4, 4, 3}}, {{6, 2, 2}}};
  const SearchSpace space = WithSidesSaid(mesh, runs);
  for (const bool of_any : {false, true}) {
    const Formula room = [&](const Context& c) {
      return 2 * mesh.LongestFace(c, of_any) + 8;
    };
    ExpectOn({{5, 3, 4}}, FindRoom(SamplesOn(runs, room), space), room);
  }
}

// Nothing says whether rows count that are shorter than columns in all runs.
TEST(FindRoom, FacesThatAreNeverTheLongestMayCountOrNot) {
  const Mesh mesh{{96, 96}};
  const std::vector<Grid> runs = {
      {{2, 2}}, {{3, 2}}, {{4, 3}}, {{6, 4}}, {{9, 6}}};
  SearchSpace space = WithSidesSaid(mesh, runs);
  const Formula room = [&](const Context& c) { return 96 / c.dim(1) + 66; };
  const auto samples = SamplesOn(runs, room);
  const auto law = FindScalarLaw(samples, space);
  ASSERT_TRUE(law);
  EXPECT_EQ(law->At(Context(Grid{{8, 4}}, 5)), 90);
  EXPECT_EQ(law->At(Context(Grid{{4, 8}}, 5)), kNotWhole);
  // A message of one direction has its own face.
  space.room_for_all = false;
  const auto of_one = FindScalarLaw(samples, space);
  ASSERT_TRUE(of_one);
  EXPECT_EQ(of_one->At(Context(Grid{{4, 8}}, 5)), 78);
}

TEST(FindRoom, AsksForWhatIsNotSaid) {
  const Mesh mesh{{101, 90}};
  SearchSpace space;
  space.ndims = 2;
  space.said = std::make_shared<SaidParts>();
  const Formula room = [&](const Context& c) {
    return mesh.LongestFace(c, false) + 66;
  };
  EXPECT_EQ(FindRoom(SamplesOn(kPlanes, room), space), nullptr);
  EXPECT_TRUE(space.said->TakeTooLittle());
}

}  // namespace
}  // namespace ranksight::online_model
