// Who is at the border of a grid.
#include "online_model/structure/find_border.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "tests/unit/online_model_structure/formula_laws.h"

namespace ranksight::online_model {
namespace {

using IsThere = std::function<bool(const Context&)>;

// grids: outlive the samples.
std::vector<Sample> SamplesOn(const std::vector<Grid>& grids,
                              const IsThere& is_there) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      samples.push_back({c, is_there(c)});
    }
  }
  return samples;
}

bool IsAtEnd(const Context& c, int d) {
  return c.at[size_t(d)] == 0 || c.at[size_t(d)] == c.dim(d) - 1;
}

void ExpectFound(const std::vector<Grid>& seen, const std::vector<Grid>& unseen,
                 const IsThere& is_there) {
  const auto law = FindBorder(SamplesOn(seen, is_there), seen[0].size());
  ASSERT_NE(law, nullptr);
  for (const Sample& s : SamplesOn(unseen, is_there)) {
    ASSERT_EQ(law->At(s.where), s.value) << "rank " << s.where.rank;
  }
}

TEST(FindBorder, AllEndsOrSomeOfThem) {
  const std::vector<Grid> seen{{{2, 2}}, {{3, 3}}, {{4, 3}}, {{4, 4}}};
  const std::vector<Grid> unseen{{{6, 4}}, {{1, 5}}, {{7, 2}}};
  const IsThere on_all = [](const Context& c) {
    return IsAtEnd(c, 0) || IsAtEnd(c, 1);
  };
  ExpectFound(seen, unseen, on_all);
  ExpectFound(seen, unseen, [&](const Context& c) { return !on_all(c); });
  ExpectFound(seen, unseen, [](const Context& c) { return IsAtEnd(c, 1); });
  ExpectFound(seen, unseen, [](const Context& c) {
    return c.at[0] == 0 || c.at[1] == c.dim(1) - 1;
  });
}

TEST(FindBorder, OfThreeSides) {
  ExpectFound({{{2, 2, 2}}, {{3, 3, 3}}, {{4, 3, 3}}}, {{{4, 4, 6}}},
              [](const Context& c) {
                return IsAtEnd(c, 0) || IsAtEnd(c, 1) || IsAtEnd(c, 2);
              });
}

TEST(FindBorder, OneRunOrOneEndSaysNothing) {
  const IsThere on_all = [](const Context& c) {
    return IsAtEnd(c, 0) || IsAtEnd(c, 1);
  };
  const std::vector<Grid> one{{{2, 2}}, {{3, 3}}}, two{{{3, 3}}, {{4, 4}}};
  EXPECT_EQ(FindBorder(SamplesOn(one, on_all), 2), nullptr);
  const IsThere first = [](const Context& c) { return c.at[0] == 0; };
  EXPECT_EQ(FindBorder(SamplesOn(two, first), 2), nullptr);
}

// Which end of a side of two it is shows nowhere: those are as good.
TEST(FindBorder, SeveralChoicesOfEndsAreNone) {
  std::vector<Sample> samples;
  const std::vector<Grid> grids{{{4, 2}}, {{5, 2}}};
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      const bool is_corner = c.at[0] == 0 && c.at[1] == 0;
      const bool is_other = c.at[0] == c.dim(0) - 1 && c.at[1] == 1;
      const bool is_within = c.at[0] != 0 && c.at[0] != c.dim(0) - 1;
      if (is_corner || is_other) samples.push_back({c, 1});
      if (is_within && c.at[1] == 0) samples.push_back({c, 0});
    }
  }
  EXPECT_EQ(FindBorder(samples, 2), nullptr);
}

// How many ranks a communicator of the border has; within there is none.
TEST(FindBorder, SizesOfACommunicator) {
  testing::ExpectHolds(
      {{2, 2}, {3, 3}, {4, 3}, {4, 4}}, {{6, 4}, {7, 5}},
      [](const Context& c) -> int64_t {
        const bool is_there = IsAtEnd(c, 0) || IsAtEnd(c, 1);
        return is_there ? c.ranks() - (c.dim(0) - 2) * (c.dim(1) - 2) : 0;
      },
      false);
}

}  // namespace
}  // namespace ranksight::online_model
