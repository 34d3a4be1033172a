#include "online_model/structure/level_conditions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "online_model/structure/find_levels.h"

namespace ranksight::online_model {
namespace {

// Ranks of a side from one to the next that have a part in a level of so many
// points a side.
int64_t Apart(int64_t side, int64_t points) {
  return std::max<int64_t>(1, side / points);
}

bool Has(const Context& c, int d, int64_t points) {
  return (c.at[size_t(d)] + 1) % Apart(c.dim(d), points) == 0;
}

// Levels of 4, 8 and 16 points a side, in this order.
using Value = std::function<int64_t(const Context&, int64_t points)>;
std::vector<Sample> SamplesOf(const std::vector<Grid>& grids,
                              const Value& value) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      Context c(g, r);
      c.length = 3;
      for (c.position = 0; c.position < 3; ++c.position) {
        samples.push_back({c, value(c, int64_t{4} << c.position)});
      }
    }
  }
  return samples;
}

const std::vector<Grid> kSmall = {{{2, 2}}, {{4, 2}}, {{4, 4}}, {{8, 4}}};
const std::vector<Grid> kLarge = {{{16, 16}}};

void FoundFromSmallHoldsAtLarge(const Value& value) {
  SearchSpace space;
  space.ndims = 2;
  space.array = space.counts = true;
  const auto law = FindLevelCondition(SamplesOf(kSmall, value), space);
  ASSERT_TRUE(law);
  for (const Sample& s : SamplesOf(kLarge, value)) {
    ASSERT_EQ(law->At(s.where), s.value) << law->ToString();
  }
}

TEST(LevelConditions, WhoJoinsALevelAlongASide) {
  FoundFromSmallHoldsAtLarge([](const Context& c, int64_t points) {
    return Has(c, 0, points) && !Has(c, 0, points / 2);
  });
}

TEST(LevelConditions, WhoGivesToWhoJoins) {
  FoundFromSmallHoldsAtLarge([](const Context& c, int64_t points) {
    return Has(c, 1, points / 2) &&
           Apart(c.dim(1), points) < Apart(c.dim(1), points / 2);
  });
}

TEST(LevelConditions, WhoHasAPartAlongAllSides) {
  FoundFromSmallHoldsAtLarge([](const Context& c, int64_t points) {
    return Has(c, 0, points) && Has(c, 1, points);
  });
}

TEST(LevelConditions, OtherConditionsAreNone) {
  SearchSpace space;
  space.ndims = 2;
  space.array = space.counts = true;
  const auto samples = SamplesOf(
      kSmall, [](const Context& c, int64_t) { return c.rank % 3 == 0; });
  EXPECT_FALSE(FindLevelCondition(samples, space));
}

TEST(OneLevel, AFaceAndABufferForIt) {
  SearchSpace space;
  space.ndims = 3;
  space.points = true;
  space.along = 2;
  const std::vector<Grid> grids = {{{2, 2, 1}}, {{2, 2, 2}}, {{4, 4, 4}}};
  const Grid large{{8, 8, 4}};
  const auto found = [&](const std::function<int64_t(const Context&)>& value) {
    std::vector<Sample> samples;
    for (const Grid& g : grids) {
      samples.push_back({Context(g, 0), value(Context(g, 0))});
    }
    const auto law = FindOneLevel(samples, space);
    return law && law->At(Context(large, 0)) == value(Context(large, 0));
  };
  EXPECT_TRUE(found(
      [](const Context& c) { return (32 / c.dim(0) + 2) * (32 / c.dim(1)); }));
  EXPECT_TRUE(found([](const Context& c) {
    const int64_t side = 32 / c.dim(2) + 2;
    return 2 * side * side;
  }));
}

TEST(OneLevel, TheNextOfItsRanksIsHalfASideAway) {
  SearchSpace space;
  space.ndims = 2;
  space.points = space.ranked = true;
  const std::vector<Grid> grids = {{{2, 1}}, {{2, 2}}, {{4, 2}}, {{4, 4}}};
  std::vector<Sample> samples;
  const auto next = [](const Context& c) {
    const int64_t n = c.dim(1);
    return c.rank - c.at[1] + (c.at[1] + std::max<int64_t>(1, n / 2)) % n;
  };
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      samples.push_back({Context(g, r), next(Context(g, r))});
    }
  }
  const auto law = FindNextOnOneLevel(samples, space);
  ASSERT_TRUE(law);
  // log2 of the side says the same of all of the above.
  const Grid large{{8, 8}};
  for (int64_t r = 0; r < large.ranks(); ++r) {
    EXPECT_EQ(law->At(Context(large, r)), next(Context(large, r)));
  }
}

}  // namespace
}  // namespace ranksight::online_model
