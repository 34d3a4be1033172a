// Laws on whole boxes give every rank what they give it alone.
#include "online_model/structure/box.h"

#include <gtest/gtest.h>

#include <random>

#include "online_model/structure/box_value.h"

namespace ranksight::online_model {
namespace {

using Kind = Feature::Kind;
using Op = Expression::Op;

// Puts the value on each part of the box into the places of its ranks.
void Fill(const ScalarLaw& law, const Box& box, std::vector<int64_t>* values,
          int* parts) {
  Affine v;
  try {
    v = ValueOn(law, box);
  } catch (const Cut& cut) {
    for (const Box& part : Parts(box, cut)) Fill(law, part, values, parts);
    return;
  }
  ++*parts;
  std::vector<int64_t> y(box.digits.size(), 0);
  const Affine rank = box.Rank();
  while (true) {
    int64_t r = rank.constant, value = v.constant;
    for (size_t i = 0; i < y.size(); ++i) {
      r += rank.by[i] * y[i];
      value += v.by[i] * y[i];
    }
    (*values)[size_t(r)] = value;
    size_t i = 0;
    while (i < y.size() && ++y[i] == box.digits[i].size) y[i++] = 0;
    if (i == y.size()) return;
  }
}

int PartsOf(const ScalarLaw& law, const Grid& grid) {
  std::vector<int64_t> values(size_t(grid.ranks()), -77777);
  int parts = 0;
  Fill(law, Box::All(grid), &values, &parts);
  for (int64_t r = 0; r < grid.ranks(); ++r) {
    EXPECT_EQ(values[size_t(r)], law.At(Context(grid, r)))
        << law.ToString() << " on " << DimsText(grid.dims) << " at rank " << r;
    if (::testing::Test::HasFailure()) break;
  }
  return parts;
}

ExpressionPtr RandomExpression(std::mt19937* random, int ndims, int depth) {
  const auto pick = [&](int n) { return int((*random)() % unsigned(n)); };
  if (depth == 0 || pick(4) == 0) {
    if (pick(3) == 0) return ConstantExpression(pick(9) - 1);
    const auto features = GridFeatures(ndims, false, true, true);
    return FeatureExpression(features[size_t(pick(int(features.size())))]);
  }
  Expression e;
  if (pick(12) == 0) {
    const int low = pick(200);
    e.op = Op::kShare;
    e.a = ConstantExpression(low);
    e.b = ConstantExpression(low + pick(4));
    e.c = RandomExpression(random, ndims, depth - 1);
    return std::make_shared<const Expression>(std::move(e));
  }
  e.op = Op(int(Op::kAdd) + pick(int(Op::kBlock) - int(Op::kAdd) + 1));
  e.value = pick(ndims);
  e.a = RandomExpression(random, ndims, depth - 1);
  if (e.op == Op::kBlock) e.a = ConstantExpression(1 + pick(40));
  if (e.op != Op::kMove && e.op != Op::kBlock) {
    e.b = RandomExpression(random, ndims, depth - 1);
  }
  if (e.op == Op::kSelect) e.c = RandomExpression(random, ndims, depth - 1);
  return std::make_shared<const Expression>(std::move(e));
}

ScalarLaw LawOf(ExpressionPtr e) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kExpression;
  law.expression = std::move(e);
  return law;
}

TEST(Box, GivesEveryRankTheValueItHasAlone) {
  const std::vector<std::vector<int64_t>> shapes = {
      {1}, {7}, {16}, {4, 4}, {2, 8}, {8, 2}, {5, 3}, {4, 3, 2}, {2, 2, 2, 2}};
  std::mt19937 random(11);
  for (int i = 0; i < 4000 && !HasFailure(); ++i) {
    const Grid grid{shapes[random() % shapes.size()]};
    PartsOf(LawOf(RandomExpression(&random, grid.size(), 3)), grid);
  }
}

CellCoordinate RandomCoordinate(std::mt19937* random) {
  const auto pick = [&](int n) { return int((*random)() % unsigned(n)); };
  return {pick(3) - 1, pick(3) - 1, pick(8) == 0 ? 2 : 2 * pick(2) - 1,
          pick(5) - 2};
}

TEST(Box, GivesEveryRankTheCellsItHasAlone) {
  std::mt19937 random(5);
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    const int64_t q = 1 + random() % 9;
    Cells cells;
    cells.whole = random() % 70;
    cells.scale = 5;
    cells.inner = random() % 2 != 0;
    cells.sides = {RandomCoordinate(&random), RandomCoordinate(&random)};
    cells.numbered = random() % 6 == 0;
    cells.summed = random() % 4 != 0;
    cells.guarded = random() % 3 != 0;
    cells.at_last = random() % 2 != 0;
    cells.guard = RandomCoordinate(&random);
    Expression e;
    e.op = Expression::Op::kCells;
    e.cells = std::make_shared<const Cells>(cells);
    PartsOf(LawOf(std::make_shared<const Expression>(std::move(e))),
            Grid{{q, q}});
  }
}

TEST(Box, SumsOverCellsTakePartsAsTheSidesAreLong) {
  Cells cells;
  cells.whole = 1000;
  cells.sides = {{1, 0, 1, 0}, {0, 1, -1, 0}};
  cells.summed = true;
  Expression e;
  e.op = Expression::Op::kCells;
  e.cells = std::make_shared<const Cells>(cells);
  const Grid grid{{128, 128}};
  EXPECT_LT(
      PartsOf(LawOf(std::make_shared<const Expression>(std::move(e))), grid),
      128u * 16);
}

TEST(Box, DisplacementsOnAGridTakeAPartForEachBoundaryClass) {
  ScalarLaw open;
  open.kind = ScalarLaw::Kind::kNeighbour;
  open.by = {1, -1};
  EXPECT_LE(PartsOf(open, Grid{{64, 64}}), 3);
  open.periodic = 3;
  EXPECT_LE(PartsOf(open, Grid{{64, 64}}), 4);
}

TEST(Box, BitsOfRanksTakeOnePart) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kXor;
  law.constant = 0b101;
  EXPECT_EQ(PartsOf(law, Grid{{4096}}), 1);
}

TEST(Box, TransposedRanksTakeOnePart) {
  const auto law = LawOf(FeatureExpression({Kind::kTransposed, 0, nullptr}));
  EXPECT_EQ(PartsOf(law, Grid{{32, 64}}), 1);
  EXPECT_EQ(PartsOf(law, Grid{{32, 32}}), 1);
}

TEST(Box, LevelsTakeAPartEach) {
  const auto law = LawOf(FeatureExpression({Kind::kTwos, 0, nullptr}));
  EXPECT_LE(PartsOf(law, Grid{{4096}}), 13);
}

}  // namespace
}  // namespace ranksight::online_model
