// Lists of neighbours that pair off: even ranks with the next one first.
#include "online_model/structure/neighbours.h"

#include <gtest/gtest.h>

#include <vector>

#include "online_model/structure/sequence_law.h"

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
  const auto list = FindNeighbours(PatternsOn(seen), 2);
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

TEST(Neighbours, SidesOfTwoDoNotTellWhetherThereIsASecondRound) {
  const std::vector<Grid> seen{{{2, 2}}, {{3, 2}}, {{5, 2}}};
  EXPECT_EQ(FindNeighbours(PatternsOn(seen), 2), nullptr);
}

}  // namespace
}  // namespace ranksight::online_model
