#include "online_model/structure/find_block_product.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "online_model/structure/evidence.h"
#include "online_model/structure/find_there.h"
#include "tests/unit/online_model_structure/formula_laws.h"

namespace ranksight::online_model {
namespace {

using testing::BeginsOf;
using testing::Formula;
using testing::SamplesOn;

// Points along a side of the block that a rank has.
int64_t PointsAlong(const Context& c, int side) {
  const auto begins = BeginsOf(0, side == 0 ? 100 : 90, c.dim(side));
  const auto x = size_t(c.at[size_t(side)]);
  return begins[x + 1] - begins[x];
}

const std::vector<Grid> kRuns = {
    {{2, 2}}, {{3, 2}}, {{4, 2}}, {{4, 3}}, {{4, 4}}};
const std::vector<Grid> kTargets = {{{7, 6}}};

// What a program has said: how many points there are along each side.
SearchSpace WithSidesSaid() {
  SearchSpace space;
  space.ndims = 2;
  space.certain = true;
  space.said = std::make_shared<SaidParts>();
  for (int side = 0; side < 2; ++side) {
    const Formula points = [side](const Context& c) {
      return PointsAlong(c, side);
    };
    EXPECT_TRUE(FindScalarLaw(SamplesOn(kRuns, points), space)) << side;
  }
  return space;
}

void ExpectOnTarget(const ExpressionPtr& law, const Formula& value) {
  ASSERT_NE(law, nullptr);
  for (const Sample& s : SamplesOn(kTargets, value)) {
    ASSERT_EQ(law->At(s.where), s.value) << law->ToString();
  }
}

TEST(FindBlockProduct, OfABlockWithItsHalo) {
  const SearchSpace space = WithSidesSaid();
  const std::vector<Formula> values = {
      [](const Context& c) {
        return 8 * (PointsAlong(c, 0) + 2) * (PointsAlong(c, 1) + 2);
      },
      [](const Context& c) {
        return (PointsAlong(c, 0) + 4) * PointsAlong(c, 1);
      },
      // Where the last row of the block begins.
      [](const Context& c) {
        return (PointsAlong(c, 0) + 1) * (PointsAlong(c, 1) + 2) + 1;
      },
      // All edges, for several fields across one of the sides.
      [](const Context& c) {
        return 16 * PointsAlong(c, 0) + 48 * PointsAlong(c, 1) + 3;
      },
      [](const Context& c) { return 2 * PointsAlong(c, 1) + 3; }};
  for (const Formula& value : values) {
    ExpectOnTarget(FindBlockProduct(SamplesOn(kRuns, value), space), value);
  }
}

// A number in which there is no such block gives none.
TEST(FindBlockProduct, OfSomethingElse) {
  const Formula value = [](const Context& c) {
    return PointsAlong(c, 0) * PointsAlong(c, 1) + 7 * c.rank * c.rank;
  };
  EXPECT_EQ(FindBlockProduct(SamplesOn(kRuns, value), WithSidesSaid()),
            nullptr);
}

// Before anything is said it is asked for.
TEST(FindBlockProduct, AsksForWhatIsNotSaid) {
  SearchSpace space;
  space.ndims = 2;
  space.certain = true;
  space.said = std::make_shared<SaidParts>();
  const Formula value = [](const Context& c) {
    return (PointsAlong(c, 0) + 2) * (PointsAlong(c, 1) + 2);
  };
  EXPECT_EQ(FindBlockProduct(SamplesOn(kRuns, value), space), nullptr);
  EXPECT_TRUE(space.said->TakeTooLittle());
}

// Where a neighbour's halo begins in its block, which has another size: on an
// open side some ranks have no such neighbour.
TEST(FindBlockProduct, InTheBlockOfANeighbour) {
  for (const int64_t by : {-1, 1}) {
    SearchSpace space = WithSidesSaid();
    space.partner = MoveExpression(0, ConstantExpression(by));
    const auto value = [by](const Context& c) {
      Context there = c;
      there.at[0] += by;
      return (PointsAlong(there, 0) + 1) * (PointsAlong(c, 1) + 2) + 1;
    };
    const auto samples_on = [&](const std::vector<Grid>& grids) {
      std::vector<Sample> samples;
      for (const Grid& g : grids) {
        for (int64_t r = 0; r < g.ranks(); ++r) {
          const Context c(g, r);
          const int64_t x = c.at[0] + by;
          if (x >= 0 && x < c.dim(0)) samples.push_back({c, value(c)});
        }
      }
      return samples;
    };
    const auto law = FindOfPartner(samples_on(kRuns), space);
    ASSERT_TRUE(law.has_value()) << by;
    for (const Sample& s : samples_on(kTargets)) {
      ASSERT_EQ(law->At(s.where), s.value) << law->ToString();
    }
  }
}

// A law of a parameter that a few runs show just so is sure once others of the
// program are made of the same things.
TEST(Evidence, OfWhatOtherLawsAreMadeOf) {
  const Formula stride = [](const Context& c) { return 96 / c.dim(0) + 2; };
  const auto samples = SamplesOn(kRuns, stride);
  const ScalarLaw law = OfExpression(
      AffineExpression(1,
                       Combine(Expression::Op::kDivide, ConstantExpression(96),
                               FeatureExpression(Feature::Kind::kDim, 0)),
                       2));
  SaidParts said;
  EXPECT_FALSE(SaysEnough(samples, law, &said));
  said.Add(OfExpression(Combine(Expression::Op::kDivide, ConstantExpression(72),
                                FeatureExpression(Feature::Kind::kDim, 1))));
  EXPECT_TRUE(SaysEnough(samples, law, &said));
}

}  // namespace
}  // namespace ranksight::online_model
