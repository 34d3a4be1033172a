#include "online_model/structure/find_by_places.h"

#include <gtest/gtest.h>

#include <vector>

#include "reduction/api/call.h"
#include "tests/unit/online_model_structure/shapes.h"

namespace ranksight::online_model {
namespace {

// The next rank along one side and along the other by turns, nobody beyond the
// end; of as many places as `places` says.
template <class F>
std::vector<Sample> Steps(const std::vector<Grid>& grids, F places) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      for (int64_t k = 0; k < places(g); ++k) {
        Sample s{Context(g, r), 0};
        s.where.position = k;
        s.where.length = places(g);
        const auto d = size_t(k % 2);
        const int64_t stride = d == 0 ? g.dims[1] : 1;
        const bool last = s.where.at[d] + 1 == g.dims[d];
        s.value = last ? reduction::kPeerNull : r + stride;
        samples.push_back(s);
      }
    }
  }
  return samples;
}

SearchSpace Loop() {
  SearchSpace space;
  space.ndims = 2;
  space.array = space.ranked = true;
  return space;
}

TEST(FindByPlaces, OneSideAndAnotherByTurns) {
  const std::vector<Grid> grids{{{2, 3}}, {{4, 2}}, {{3, 4}}};
  const std::vector<Grid> unseen{{{5, 7}}};
  for (const bool grows : {false, true}) {
    const auto places = [grows](const Grid& g) {
      return grows ? g.ranks() : int64_t{5};
    };
    const auto law = FindScalarLaw(Steps(grids, places), Loop());
    ASSERT_TRUE(law.has_value());
    for (const Sample& s : Steps(unseen, places)) {
      ASSERT_EQ(law->At(s.where), s.value) << law->ToString();
    }
  }
}

TEST(FindByPlaces, TurnsOfALoopThatGrowsMustBeSeenTwice) {
  const std::vector<Grid> grids{{{2, 1}}, {{1, 3}}, {{3, 1}}};
  const auto places = [](const Grid& g) { return g.ranks(); };
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      for (int64_t k = 0; k < places(g); ++k) {
        Sample s{Context(g, r), k % 2 == 0 ? 3 * r * r + 40 : 7};
        s.where.position = k;
        s.where.length = places(g);
        samples.push_back(s);
      }
    }
  }
  SearchSpace space = Loop();
  space.ranked = false;
  const LawSearch any = [](std::span<const Sample> some, const SearchSpace&) {
    ScalarLaw law;
    law.constant = some[0].value;
    return std::optional(law);
  };
  EXPECT_FALSE(FindByPlaces(samples, space, any));
}

}  // namespace
}  // namespace ranksight::online_model
