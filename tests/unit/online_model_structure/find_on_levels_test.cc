// Laws of levels on a line of any number of ranks: in how many a rank takes
// part, whom it talks to in each, and what they carry.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "online_model/structure/find_clamped.h"
#include "online_model/structure/find_halves.h"
#include "online_model/structure/find_opposite.h"
#include "tests/unit/online_model_structure/shapes.h"

namespace ranksight::online_model {
namespace {

using testing::ExpectGives;

// As a program has it: so many points at the finest level and half as many at
// each next one, on which only as many ranks as points have one.
struct LinesOfLevels {
  int64_t points = 512;
  int64_t levels = 8;

  int64_t Stride(int64_t ranks, int64_t level) const {
    int64_t stride = 1;
    while ((points >> level) * stride < ranks) stride *= 2;
    return stride;
  }
  int64_t Parts(const Context& c) const {
    int64_t parts = 0;
    for (int64_t l = 0; l < levels; ++l) {
      parts += c.rank % Stride(c.ranks(), l) == 0;
    }
    return parts;
  }
};

std::vector<Grid> LinesOf(const std::vector<int64_t>& sizes) {
  std::vector<Grid> grids;
  for (const int64_t n : sizes) grids.push_back({{n}});
  return grids;
}

// value(where) once on each rank; nothing where it is below 0.
template <class F>
std::vector<Sample> OfRanks(const std::vector<Grid>& grids, F value) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      if (value(c) >= 0) samples.push_back({c, value(c)});
    }
  }
  return samples;
}

// The same in each level that a rank takes part in, the finest first.
template <class F>
std::vector<Sample> OfLevels(const LinesOfLevels& lines,
                             const std::vector<Grid>& grids, F value) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      Context c(g, r);
      c.length = lines.Parts(c);
      for (c.position = 0; c.position < c.length; ++c.position) {
        if (value(c) >= 0) samples.push_back({c, value(c)});
      }
    }
  }
  return samples;
}

SearchSpace CountSpace(bool array) {
  SearchSpace space;
  space.counts = true;
  space.array = array;
  return space;
}

TEST(FindClamped, LevelsThatARankTakesPartIn) {
  const auto runs = LinesOf({40, 64, 96, 144});
  const auto unseen = LinesOf({33, 200, 256, 300});
  const LinesOfLevels lines;
  const auto parts = [&](const Context& c) { return lines.Parts(c); };
  ExpectGives(FindClamped(OfRanks(runs, parts), CountSpace(false)),
              OfRanks(unseen, parts));
  // Four loops that are one.
  const auto four = [&](const Context& c) { return 4 * lines.Parts(c); };
  ExpectGives(FindClamped(OfRanks(runs, four), CountSpace(false)),
              OfRanks(unseen, four));
}

TEST(FindClamped, ByNoPowerOfTwoNoLawSaysWhatThereIsAtOne) {
  const auto runs = LinesOf({40, 72, 96, 144});
  const LinesOfLevels lines;
  const auto parts = [&](const Context& c) { return lines.Parts(c); };
  const auto law = FindClamped(OfRanks(runs, parts), CountSpace(false));
  ExpectGives(law, OfRanks(LinesOf({200, 300}), parts));
  const Grid power{{256}};
  EXPECT_EQ(law->At(Context(power, 1)), kNotWhole);
}

TEST(FindClamped, NothingIsCutOffThatOneSizeAloneShows) {
  const auto grids = LinesOf({4, 8, 16});
  const auto cut = [](const Context& c) {
    return c.ranks() == 16 ? std::min<int64_t>(c.rank, 9) : 5;
  };
  EXPECT_EQ(FindClamped(OfRanks(grids, cut), CountSpace(false)), nullptr);
}

TEST(FindPowersAway, TwiceAsFarInEachLevelOnceThereIsLessThanOneEach) {
  const LinesOfLevels lines;
  const auto up = [&](const Context& c) {
    const int64_t to = c.rank + lines.Stride(c.ranks(), c.position);
    return to < c.ranks() ? to : -1;
  };
  const auto down = [&](const Context& c) {
    return c.rank - lines.Stride(c.ranks(), c.position);
  };
  SearchSpace space;
  space.array = space.ranked = true;
  const auto runs = LinesOf({40, 64, 96, 144}), unseen = LinesOf({200, 256});
  ExpectGives(FindPowersAway(OfLevels(lines, runs, up), space),
              OfLevels(lines, unseen, up));
  ExpectGives(FindPowersAway(OfLevels(lines, runs, down), space),
              OfLevels(lines, unseen, down));
  const auto thirds = [](const Context& c) { return c.rank + 3; };
  EXPECT_EQ(FindPowersAway(OfLevels(lines, runs, thirds), space), nullptr);
}

TEST(FindWhereThereIs, SomebodyAsFarTheOtherWay) {
  const LinesOfLevels lines;
  const auto runs = LinesOf({72, 96}), unseen = LinesOf({200, 300});
  const auto is_above = [&](const Context& c) -> int64_t {
    return c.rank + lines.Stride(c.ranks(), c.position) < c.ranks();
  };
  // 1 << max(0, k + log2 of the ranks, rounded up, - 9) down.
  using Op = Expression::Op;
  const ExpressionPtr exponent = AffineExpression(
      1,
      Combine(Op::kAdd, FeatureExpression(Feature::Kind::kPosition),
              FeatureExpression(Feature::Kind::kStages)),
      -9);
  const ExpressionPtr stride =
      Combine(Op::kShiftLeft, ConstantExpression(1),
              Combine(Op::kMaximum, ConstantExpression(0), exponent));
  for (const ExpressionPtr& down :
       {Combine(Op::kSubtract, FeatureExpression(Feature::Kind::kRank), stride),
        MoveExpression(0, AffineExpression(-1, stride, 0)),
        SelectExpression(
            FeatureExpression(Feature::Kind::kZeroRank),
            ConstantExpression(reduction::kPeerNull),
            Combine(Op::kSubtract, FeatureExpression(Feature::Kind::kRank),
                    stride))}) {
    const auto distance = DistanceOf(OfExpression(down));
    ASSERT_TRUE(distance.has_value()) << down->ToString();
    ExpectGives(FindWhereThereIs(OfLevels(lines, runs, is_above),
                                 std::vector<Distance>{*distance}),
                OfLevels(lines, unseen, is_above));
  }
  const auto odd = [](const Context& c) { return c.rank % 2; };
  const Distance known{0, stride};
  EXPECT_EQ(FindWhereThereIs(OfLevels(lines, runs, odd),
                             std::vector<Distance>{known}),
            nullptr);
  // The same in all iterations, it says nothing of these.
  EXPECT_FALSE(
      DistanceOf(OfExpression(MoveExpression(0, ConstantExpression(1))))
          .has_value());
}

TEST(FindHalves, HalfOfWhatWasBeforeAndSomeMore) {
  const LinesOfLevels lines;
  const auto runs = LinesOf({72, 96}), unseen = LinesOf({300});
  const auto half = [](const Context& c) { return (100 >> c.position) + 1; };
  ExpectGives(FindHalves(OfLevels(lines, runs, half)),
              OfLevels(lines, unseen, half));
  const auto third = [](const Context& c) { return 100 / (c.position + 1); };
  EXPECT_EQ(FindHalves(OfLevels(lines, runs, third)), nullptr);
}

}  // namespace
}  // namespace ranksight::online_model
