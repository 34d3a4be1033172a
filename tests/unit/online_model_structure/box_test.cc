// Laws on whole boxes give every rank what they give it alone.
#include "online_model/structure/box.h"

#include <gtest/gtest.h>

#include <random>

#include "online_model/structure/box_value.h"
#include "online_model/structure/dims_rule.h"

namespace ranksight::online_model {
namespace {

using FeatureKind = Feature::Kind;
using Op = Expression::Op;

int64_t At(const Affine& v, const std::vector<int64_t>& y) {
  int64_t value = v.constant;
  for (size_t i = 0; i < y.size(); ++i) value += v.by[i] * y[i];
  return value;
}

// Puts the value on each part of the box into the places of its ranks, those
// of a list on a rank side by side.
void Fill(const ScalarLaw& law, const Box& box, std::vector<int64_t>* values,
          int* parts) {
  Affine v;
  try {
    v = ValueOn(law, box);
  } catch (const Cut& cut) {
    for (const Part& part : Parts(box, cut)) {
      Fill(law, part.box, values, parts);
    }
    return;
  }
  ++*parts;
  const size_t n = box.digits.size();
  std::vector<int64_t> y(n, 0);
  const Affine rank = box.Rank();
  const auto list = std::max<int64_t>(box.length.constant, 1);
  while (true) {
    auto& place = (*values)[size_t(At(rank, y) * list + At(box.Place(), y))];
    EXPECT_EQ(place, -77777) << "given twice";
    place = At(v, y);
    size_t i = n;
    while (i > 0 && ++y[i - 1] >= At(box.digits[i - 1].size, y)) y[--i] = 0;
    if (i == 0) return;
  }
}

int PartsOf(const ScalarLaw& law, const Grid& grid, int64_t places = 0) {
  const int64_t list = std::max<int64_t>(places, 1);
  std::vector<int64_t> values(size_t(grid.ranks() * list), -77777);
  int parts = 0;
  for (const Box& box : Box::All(grid)) {
    Fill(law, places == 0 ? box : box.WithPlaces(places), &values, &parts);
  }
  for (size_t i = 0; i < values.size() && !::testing::Test::HasFailure(); ++i) {
    Context c(grid, int64_t(i) / list);
    c.position = int64_t(i) % list;
    c.length = places;
    EXPECT_EQ(values[i], law.At(c))
        << law.ToString() << " on " << DimsText(grid.dims) << " at rank "
        << c.rank << ", place " << c.position << " of " << places;
  }
  return parts;
}

ExpressionPtr RandomExpression(std::mt19937* random, int ndims, int depth,
                               bool list = false) {
  const auto pick = [&](int n) { return int((*random)() % unsigned(n)); };
  if (depth == 0 || pick(4) == 0) {
    if (pick(3) == 0) return ConstantExpression(pick(9) - 1);
    if (pick(10) == 0) return BitsExpression(BitOrders()[size_t(pick(60))]);
    const auto features = GridFeatures(ndims, list, true, pick(2) == 0);
    return FeatureExpression(features[size_t(pick(int(features.size())))]);
  }
  Expression e;
  if (pick(12) == 0) {
    const int low = pick(200);
    e.op = Op::kShare;
    e.a = ConstantExpression(low);
    e.b = ConstantExpression(low + pick(4));
    e.c = RandomExpression(random, ndims, depth - 1, list);
    return std::make_shared<const Expression>(std::move(e));
  }
  if (pick(12) == 0) {
    e.op = Op::kBlockAt;
    e.a = ConstantExpression(1 + pick(40));
    e.b = RandomExpression(random, ndims, depth - 1, list);
    e.c = ConstantExpression(pick(9));
    return std::make_shared<const Expression>(std::move(e));
  }
  e.op = Op(int(Op::kAdd) + pick(int(Op::kBlock) - int(Op::kAdd) + 1));
  e.value = pick(ndims);
  e.a = RandomExpression(random, ndims, depth - 1, list);
  if (e.op == Op::kBlock) e.a = ConstantExpression(1 + pick(40));
  if (e.op != Op::kMove && e.op != Op::kBlock) {
    e.b = RandomExpression(random, ndims, depth - 1, list);
  }
  if (e.op == Op::kSelect)
    e.c = RandomExpression(random, ndims, depth - 1, list);
  return std::make_shared<const Expression>(std::move(e));
}

ScalarLaw LawOf(ExpressionPtr e) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kExpression;
  law.expression = std::move(e);
  return law;
}

// In any of the orders that there can be.
Grid RandomGrid(const std::vector<std::vector<int64_t>>& shapes,
                std::mt19937* random) {
  Grid grid{shapes[(*random)() % shapes.size()]};
  const auto order = RankOrder((*random)() % 3);
  if (IsOrdered(grid.dims, order)) grid.order = order;
  return grid;
}

TEST(Box, GivesEveryRankTheValueItHasAlone) {
  const std::vector<std::vector<int64_t>> shapes = {
      {1}, {7}, {16}, {4, 4}, {2, 8}, {8, 2}, {5, 3}, {4, 3, 2}, {2, 2, 2, 2}};
  std::mt19937 random(11);
  for (int i = 0; i < 8000 && !HasFailure(); ++i) {
    const Grid grid = RandomGrid(shapes, &random);
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
            Grid{{q, q}}, cells.summed ? 0 : int64_t(random() % 12));
  }
}

TEST(Box, SumsOverCellsTakeAsManyPartsOnLargeGrids) {
  Cells cells;
  cells.whole = 1000;
  cells.sides = {{1, 0, 1, 0}, {0, 1, -1, 0}};
  cells.summed = true;
  Expression e;
  e.op = Expression::Op::kCells;
  e.cells = std::make_shared<const Cells>(cells);
  const auto law = LawOf(std::make_shared<const Expression>(std::move(e)));
  EXPECT_EQ(PartsOf(law, Grid{{32, 32}}), PartsOf(law, Grid{{128, 128}}));
}

TEST(Box, NumbersOfCellsTakeAsManyPartsOnLongLists) {
  Cells cells;
  cells.whole = 2000;
  cells.numbered = true;
  cells.sides = {{1, 1, 1, 2}, {0, -1, -1, -2}};
  Expression e;
  e.op = Expression::Op::kCells;
  e.cells = std::make_shared<const Cells>(cells);
  const auto law = LawOf(std::make_shared<const Expression>(std::move(e)));
  EXPECT_EQ(PartsOf(law, Grid{{12, 12}}, 11), PartsOf(law, Grid{{40, 40}}, 39));
}

TEST(Box, GivesEveryPlaceOfAListTheValueItHasAlone) {
  std::mt19937 random(3);
  const std::vector<std::vector<int64_t>> shapes = {{1},    {7},    {4, 4},
                                                    {2, 8}, {5, 3}, {3, 2, 2}};
  for (int i = 0; i < 6000 && !HasFailure(); ++i) {
    const Grid grid = RandomGrid(shapes, &random);
    PartsOf(LawOf(RandomExpression(&random, grid.size(), 3, true)), grid,
            1 + int64_t(random() % 9));
  }
}

TEST(Box, DisplacementsOnAGridTakeAPartForEachBoundaryClass) {
  ScalarLaw open;
  open.kind = ScalarLaw::Kind::kNeighbour;
  open.by = {1, -1};
  EXPECT_LE(PartsOf(open, Grid{{64, 64}}), 3);
  open.periodic = 3;
  EXPECT_LE(PartsOf(open, Grid{{64, 64}}), 4);
  // Odd and even rows; and as many carries as a coordinate has bits.
  const Grid back_and_forth{{64, 64}, RankOrder::kBackAndForth};
  EXPECT_LE(PartsOf(open, back_and_forth), 8);
  EXPECT_LE(PartsOf(open, Grid{{64, 64}, RankOrder::kMorton}), 7 * 7);
}

TEST(Box, BitsOfRanksTakeOnePart) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kXor;
  law.constant = 0b101;
  EXPECT_EQ(PartsOf(law, Grid{{4096}}), 1);
}

TEST(Box, BitsInAnotherOrderTakeOnePart) {
  const auto law = LawOf(BitsExpression({BitOrder::Base::kReversed, 0, false}));
  EXPECT_EQ(PartsOf(law, Grid{{4096}}), 1);
  EXPECT_EQ(PartsOf(law, Grid{{32, 64}}), 1);
}

TEST(Box, TreesTakeAsManyPartsAsStages) {
  for (const FeatureKind kind :
       {FeatureKind::kZeros, FeatureKind::kLowBit, FeatureKind::kStagesLeft,
        FeatureKind::kAbove, FeatureKind::kChildren}) {
    const auto law = LawOf(FeatureExpression({kind, 0, nullptr}));
    EXPECT_LE(PartsOf(law, Grid{{4096}}), 2 * 13);
    EXPECT_LE(PartsOf(law, Grid{{4001}}), 4 * 13);
  }
}

TEST(Box, TransposedRanksTakeOnePart) {
  const auto law =
      LawOf(FeatureExpression({FeatureKind::kTransposed, 0, nullptr}));
  EXPECT_EQ(PartsOf(law, Grid{{32, 64}}), 1);
  EXPECT_EQ(PartsOf(law, Grid{{32, 32}}), 1);
}

TEST(Box, LevelsTakeAPartEach) {
  const auto law = LawOf(FeatureExpression({FeatureKind::kTwos, 0, nullptr}));
  EXPECT_LE(PartsOf(law, Grid{{4096}}), 13);
  const auto coarsest =
      LawOf(FeatureExpression({FeatureKind::kCoarsestFromOne, 0, nullptr}));
  EXPECT_LE(PartsOf(coarsest, Grid{{4096}}), 13);
}

}  // namespace
}  // namespace ranksight::online_model
