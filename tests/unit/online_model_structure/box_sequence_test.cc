// Sequences made for whole boxes of ranks are those of each rank alone.
#include "online_model/synthesize/box_sequence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "online_model/structure/box_value.h"
#include "online_model/structure/expression.h"
#include "online_model/synthesize/box_piece.h"
#include "online_model/synthesize/box_terms.h"

namespace ranksight::online_model {
namespace {

using FeatureKind = Feature::Kind;
using Op = Expression::Op;
using reduction::Parameter;

// The law's list of all ranks that have one, so many times, box by box. Rows
// are four.
Parameter SequencesOf(const SequenceLaw& law, const Grid& grid, int64_t times) {
  std::vector<BoxParent> pending = Everywhere(grid);
  reduction::ParameterPieces pieces;
  while (!pending.empty()) {
    const BoxParent at = std::move(pending.back());
    pending.pop_back();
    try {
      const BoxPattern list = PatternOn(law, at);
      if (list.period.empty()) continue;
      const Affine length = law.form == SequenceLaw::Form::kByRows
                                ? at.box.Constant(10)
                                : ValueOn(law.length, at.box);
      const Affine n = Add(at.box.Constant(0), length, times);
      pieces.push_back(PieceOf(Repeat(list, n, at.box), at.box, false));
    } catch (const Cut& cut) {
      for (BoxParent& part : Parts(at, cut)) pending.push_back(std::move(part));
    }
  }
  Parameter made;
  EXPECT_TRUE(Parameter::FromPieces(std::move(pieces), &made));
  return made;
}

// By element, so many in each list.
SequenceLaw ListOf(ExpressionPtr e, int64_t length) {
  SequenceLaw law;
  law.form = SequenceLaw::Form::kByElement;
  law.length.constant = length;
  law.values.resize(1);
  law.values[0].kind = ScalarLaw::Kind::kExpression;
  law.values[0].expression = std::move(e);
  return law;
}

ExpressionPtr Place() {
  return FeatureExpression({FeatureKind::kPosition, 0, nullptr});
}

void ExpectEveryRank(const SequenceLaw& law, const Grid& grid,
                     int64_t times = 1) {
  const Parameter made = SequencesOf(law, grid, times);
  for (int64_t r = 0; r < grid.ranks(); ++r) {
    Context c(grid, r);
    c.length = law.length.At(Context(grid, r));
    std::vector<int64_t> values;
    for (int64_t i = 0; i < times; ++i) {
      for (c.position = 0; c.position < c.length; ++c.position) {
        values.push_back(law.values[0].At(c));
      }
    }
    ASSERT_EQ(made.At(r).Expand(), values)
        << law.ToString() << " at rank " << r << " of " << DimsText(grid.dims);
  }
}

// Rows of 1, 2, 3 and 4 places, or the other way about.
TEST(BoxSequence, RowsOfDifferentLengths) {
  for (const bool falling : {false, true}) {
    SequenceLaw law = ListOf(
        Combine(Op::kXor, FeatureExpression({FeatureKind::kRank, 0, nullptr}),
                FeatureExpression({FeatureKind::kBackPower, 0, nullptr})),
        4);
    law.form = SequenceLaw::Form::kByRows;
    law.falling = falling;
    const Grid grid{{16}};
    const Parameter made = SequencesOf(law, grid, 1);
    for (int64_t r = 0; r < grid.ranks(); ++r) {
      std::vector<int64_t> values;
      for (const int64_t row : {1, 2, 3, 4}) {
        const int64_t n = falling ? 5 - row : row;
        for (int64_t k = n; k-- > 0;) values.push_back(r ^ (1 << k));
      }
      EXPECT_EQ(made.At(r).Expand(), values) << "rank " << r;
    }
  }
}

// Two places for each other rank: one by its place along a side, and one by the
// other.
TEST(BoxSequence, SeveralPlacesForEachRank) {
  SequenceLaw law = ListOf(Place(), 0);
  law.length.terms = {{2, {FeatureKind::kRanks, 0, nullptr}}};
  law.length.constant = -2;
  law.values[0] = ScalarLaw();
  law.values[0].kind = ScalarLaw::Kind::kThere;
  law.values[0].constant = 2;
  law.values[0].otherwise =
      std::make_shared<const ScalarLaw>(OfExpression(SelectExpression(
          Combine(Op::kEqual, Place(), ConstantExpression(0)),
          AffineExpression(8, FeatureExpression(FeatureKind::kCoord, 0), 1),
          FeatureExpression(FeatureKind::kCoord, 1))));
  for (const Grid& grid : {Grid{{4, 3}}, Grid{{2, 5}}}) {
    ExpectEveryRank(law, grid);
  }
}

// Even places go up first and odd ones down, along the side that is a ring,
// too.
TEST(BoxSequence, NeighboursThatPairOff) {
  SequenceLaw law;
  law.form = SequenceLaw::Form::kBySlot;
  law.peers = true;
  const auto list = std::make_shared<const Neighbours>(
      Neighbours{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}}, 2, 2, true});
  law.list = list;
  law.length.terms = {{1, {FeatureKind::kDegree, 0, list}}};
  for (const Grid& grid :
       {Grid{{5, 6}}, Grid{{4, 3}, RankOrder::kBackAndForth}}) {
    const Parameter made = SequencesOf(law, grid, 1);
    for (int64_t r = 0; r < grid.ranks(); ++r) {
      const Context c(grid, r);
      std::vector<int64_t> ranks;
      for (const int slot : list->Kept(c)) {
        ranks.push_back(*list->Rank(c, size_t(slot)));
      }
      EXPECT_EQ(made.At(r).Expand(), ranks) << "rank " << r;
    }
  }
}

// Neighbours in the order of ranks, and on a part of a line.
TEST(BoxSequence, NeighboursInAscendingOrderOrOnAPart) {
  Neighbours torus{{{-1, 0}, {0, -1}, {0, 1}, {1, 0}, {1, 1}}, 3, 2};
  torus.ascending = true;
  Neighbours part{{{1}, {-1}}, 0, 1, true};
  part.left_out_first = 1;
  part.left_out_last = 2;
  Neighbours ring{{{-1}, {1}, {2}}, 1, 1};
  ring.ascending = true;
  ring.left_out_last = 1;
  const std::vector<std::pair<Neighbours, Grid>> cases{
      {torus, {{5, 6}}},
      {torus, {{3, 4}, RankOrder::kBackAndForth}},
      {part, {{9}}},
      {part, {{12}}},
      {ring, {{7}}}};
  for (const auto& [neighbours, grid] : cases) {
    SequenceLaw law;
    law.form = SequenceLaw::Form::kBySlot;
    law.peers = true;
    const auto list = std::make_shared<const Neighbours>(neighbours);
    law.list = list;
    law.length.terms = {{1, {FeatureKind::kDegree, 0, list}}};
    const Parameter made = SequencesOf(law, grid, 1);
    for (int64_t r = 0; r < grid.ranks(); ++r) {
      EXPECT_EQ(made.At(r).Expand(), list->Ranks(Context(grid, r)))
          << list->ToString() << " at rank " << r;
    }
  }
}

TEST(BoxSequence, ValuesInAscendingOrder) {
  SequenceLaw law;
  law.form = SequenceLaw::Form::kAscending;
  law.length.constant = 2;
  for (const int64_t on : {1, 3}) {
    law.values.push_back(
        OfExpression(MoveExpression(0, ConstantExpression(on))));
  }
  const Grid grid{{7}};
  const Parameter made = SequencesOf(law, grid, 1);
  for (int64_t r = 0; r < grid.ranks(); ++r) {
    std::vector<int64_t> values{(r + 1) % 7, (r + 3) % 7};
    std::sort(values.begin(), values.end());
    EXPECT_EQ(made.At(r).Expand(), values) << "rank " << r;
  }
}

// Other values of each neighbour in each iteration, by a law or one by one.
TEST(BoxSequence, NeighboursInEachIterationOfALoop) {
  const Grid grid{{4, 3}};
  const auto list = std::make_shared<const Neighbours>(
      Neighbours{{{1, 0}, {0, -1}}, 0, 2, false});
  for (const bool one_by_one : {false, true}) {
    SequenceLaw law = ListOf(AffineExpression(10, Place(), 1), 0);
    law.form = SequenceLaw::Form::kBySlotInLoop;
    law.list = list;
    law.values.push_back(OfExpression(
        Combine(Op::kAdd, FeatureExpression(FeatureKind::kRank), Place())));
    const size_t all = one_by_one ? 6 : 2;
    while (law.values.size() < all) law.values.push_back(law.values[0]);
    std::vector<BoxParent> pending = Everywhere(grid);
    while (!pending.empty()) {
      BoxParent at = std::move(pending.back());
      pending.pop_back();
      try {
        at.rounds = {{at.box.Constant(3), at.box.Constant(1), {}, true, {}}};
        const std::vector<int64_t> values =
            NumbersOf(PatternOn(law, at).period, at.box);
        const Context c(grid, at.box.Rank().constant);
        EXPECT_EQ(law.At(c, {{3, 1, {}, true, {}}}).period, Shortest(values));
        EXPECT_EQ(int64_t(values.size()), 3 * list->Degree(c));
      } catch (const Cut& cut) {
        for (BoxParent& part : Parts(at, cut)) {
          pending.push_back(std::move(part));
        }
      }
    }
  }
}

// The neighbour of each iteration in which an event runs, and its value.
TEST(BoxSequence, NeighboursOfIterationsOfALoop) {
  const Grid grid{{4, 3}};
  const auto list = std::make_shared<const Neighbours>(
      Neighbours{{{1, 0}, {0, -1}, {0, 1}}, 2, 2, false});
  for (const bool peers : {false, true}) {
    SequenceLaw law;
    law.form = SequenceLaw::Form::kByLoopSlot;
    law.list = list;
    law.peers = peers;
    for (int64_t slot = 0; slot < 3; ++slot) {
      law.values.push_back(OfExpression(
          AffineExpression(10, FeatureExpression(FeatureKind::kRank), slot)));
    }
    std::vector<BoxParent> pending = Everywhere(grid);
    while (!pending.empty()) {
      BoxParent at = std::move(pending.back());
      pending.pop_back();
      try {
        const Context c(grid, at.box.Rank().constant);
        const int64_t n = 2 * list->Degree(c);
        Round round{n, 0, {}, true, {}};
        std::vector<int64_t> expected;
        for (int64_t k = 0; k < n; ++k) {
          round.runs.push_back(k % 3 != 1);
          const int slot = list->Kept(c)[size_t(k % (n / 2))];
          if (k % 3 == 1) continue;
          expected.push_back(peers ? *list->Rank(c, size_t(slot))
                                   : 10 * c.rank + slot);
        }
        at.rounds = {
            {at.box.Constant(n), at.box.Constant(0), round.runs, true, {}}};
        EXPECT_EQ(NumbersOf(PatternOn(law, at).period, at.box), expected);
        EXPECT_EQ(law.At(c, {round}).period, Shortest(expected));
      } catch (const Cut& cut) {
        for (BoxParent& part : Parts(at, cut)) {
          pending.push_back(std::move(part));
        }
      }
    }
  }
}

// Visits of a loop in turn: of as many iterations as rows have, then of two.
TEST(BoxSequence, VisitsOfDifferentLengths) {
  const Grid grid{{3, 4}};
  SequenceLaw trips;
  trips.values.resize(2);
  trips.values[0].terms = {{1, {FeatureKind::kCoord, 0, nullptr}}};
  trips.values[0].constant = 1;
  trips.values[1].constant = 2;
  SequenceLaw law = ListOf(AffineExpression(10, Place(), 1), 0);
  law.form = SequenceLaw::Form::kByVisit;
  law.values.push_back(law.values[0]);
  law.values[1].expression =
      Combine(Op::kAdd, FeatureExpression(FeatureKind::kRank), Place());
  std::vector<BoxParent> pending = Everywhere(grid);
  size_t ranks = 0;
  while (!pending.empty()) {
    BoxParent at = std::move(pending.back());
    pending.pop_back();
    try {
      const BoxPattern visits = PatternOn(trips, at);
      at.rounds = Around({}, visits, at.box, true);
      const std::vector<int64_t> values =
          NumbersOf(PatternOn(law, at).period, at.box);
      const int64_t rank = at.box.Rank().constant;
      const Context c(grid, rank);
      const Pattern alone = trips.At(c, {});
      EXPECT_EQ(law.At(c, Around({}, alone)).period, Shortest(values));
      ++ranks;
    } catch (const Cut& cut) {
      for (BoxParent& part : Parts(at, cut)) pending.push_back(std::move(part));
    }
  }
  EXPECT_EQ(ranks, 12u);
}

TEST(BoxSequence, TheFirstValuesMayEndWithinARepetition) {
  const Box& box = Everywhere(Grid{{4}})[0].box;
  const auto number = [&box](int64_t v) { return box.Constant(v); };
  // 1 2 3 | 11 12 13 | 21 22 23
  BoxTerm three{number(0), 10, number(3), {}};
  three.body.push_back({number(1), 1, number(3), {}});
  const std::vector<int64_t> all = {7, 1, 2, 3, 11, 12, 13, 21, 22, 23};
  const BoxTerms terms = {One(number(7), box), three};
  for (size_t n = 0; n <= all.size(); ++n) {
    const BoxTerms head = Head(terms, int64_t(n), box);
    EXPECT_EQ(NumbersOf(head, box),
              std::vector<int64_t>(all.begin(), all.begin() + long(n)));
    for (const BoxTerm& t : head) {
      EXPECT_TRUE(t.body.empty() || t.count.constant > 1)
          << n << ": once is no repetition";
    }
  }
}

// (x + k) mod m, or k mod m, whichever moves; m a side, or any number.
ExpressionPtr Around(std::mt19937* random, int ndims) {
  const auto pick = [&](int n) { return int((*random)() % unsigned(n)); };
  const int d = pick(ndims);
  ExpressionPtr at = Place();
  if (pick(3) > 0) {
    at = Combine(pick(2) == 0 ? Op::kAdd : Op::kSubtract,
                 FeatureExpression({FeatureKind::kCoord, d, nullptr}), at);
  }
  at = AffineExpression(1, at, pick(4) - 1);
  return Combine(Op::kRemainder, at,
                 pick(2) == 0
                     ? FeatureExpression({FeatureKind::kDim, d, nullptr})
                     : ConstantExpression(2 + pick(5)));
}

ExpressionPtr Random(std::mt19937* random, int ndims) {
  const auto pick = [&](int n) { return int((*random)() % unsigned(n)); };
  const ExpressionPtr at = Around(random, ndims);
  switch (pick(4)) {
    case 0:
      return at;
    case 1:
      return Combine(pick(2) == 0 ? Op::kLess : Op::kEqual, at,
                     ConstantExpression(pick(4)));
    case 2:
      return Combine(Op::kMinimum, at, Around(random, ndims));
    default: {
      Expression e;
      e.op = Op::kBlockAt;
      e.a = ConstantExpression(1 + pick(40));
      e.b = at;
      e.c = ConstantExpression(1 + pick(7));
      return std::make_shared<const Expression>(std::move(e));
    }
  }
}

TEST(BoxSequence, GivesEveryRankTheListItHasAlone) {
  const std::vector<std::vector<int64_t>> shapes = {{1},    {3},    {7},
                                                    {4, 4}, {2, 5}, {3, 2}};
  std::mt19937 random(23);
  for (int i = 0; i < 3000 && !HasFailure(); ++i) {
    const Grid grid{shapes[random() % shapes.size()]};
    ExpectEveryRank(
        ListOf(Random(&random, grid.size()), 1 + int64_t(random() % 24)), grid);
  }
}

// r, N - 1 - r, x1 + x0 - 2 and the like.
ScalarLaw RandomLength(std::mt19937* random, int ndims) {
  const auto pick = [&](int n) { return int((*random)() % unsigned(n)); };
  ScalarLaw length;
  length.constant = pick(8) - 2;
  length.terms = {
      {pick(4) - 1, {FeatureKind::kRank, 0, nullptr}},
      {pick(3) - 1, {FeatureKind::kCoord, pick(ndims), nullptr}},
      {pick(2), {FeatureKind::kRanks, 0, nullptr}},
  };
  return length;
}

// The place, those behind it and the like, and what goes around with them.
ExpressionPtr InAnyList(std::mt19937* random, int ndims) {
  const auto pick = [&](int n) { return int((*random)() % unsigned(n)); };
  constexpr FeatureKind kOfPlaces[] = {
      FeatureKind::kPosition,   FeatureKind::kLength, FeatureKind::kBack,
      FeatureKind::kFirstPlace, FeatureKind::kPower,  FeatureKind::kLastPlace};
  const ExpressionPtr place =
      FeatureExpression({kOfPlaces[pick(6)], 0, nullptr});
  switch (pick(4)) {
    case 0:
      return place;
    case 1:
      return Combine(
          Op::kAdd, FeatureExpression({FeatureKind::kRank, 0, nullptr}), place);
    case 2:
      return Combine(Op::kMinimum, place, Random(random, ndims));
    default:
      return Random(random, ndims);
  }
}

TEST(BoxSequence, GivesEveryRankAListOfItsOwnLength) {
  const std::vector<std::vector<int64_t>> shapes = {
      {1}, {3}, {7}, {16}, {4, 4}, {2, 5}, {3, 2}, {2, 3, 2}};
  std::mt19937 random(29);
  for (int i = 0; i < 3000 && !HasFailure(); ++i) {
    const Grid grid{shapes[random() % shapes.size()]};
    SequenceLaw law = ListOf(InAnyList(&random, grid.size()), 0);
    law.length = RandomLength(&random, grid.size());
    ExpectEveryRank(law, grid, 1 + int64_t(random() % 3));
  }
}

// All below, or all above: each rank has a list of another length.
// A law of each rank, or of each but the own, in a list on all ranks.
SequenceLaw OfAllRanks(int64_t but, ExpressionPtr e) {
  SequenceLaw law = ListOf(std::move(e), 0);
  law.length.constant = -but;
  law.length.terms = {{1, {FeatureKind::kRanks, 0, nullptr}}};
  ScalarLaw& there = law.values[0];
  there.otherwise = std::make_shared<const ScalarLaw>(there);
  there.kind = ScalarLaw::Kind::kThere;
  return law;
}

TEST(BoxSequence, GivesEveryRankItsPartners) {
  const std::vector<std::vector<int64_t>> shapes = {{2},    {7},    {12},
                                                    {4, 4}, {2, 5}, {3, 2, 2}};
  const ExpressionPtr r = FeatureExpression({FeatureKind::kRank, 0, nullptr});
  for (const auto& shape : shapes) {
    for (const int64_t but : {0, 1}) {
      for (const FeatureKind kind : kPartnerKinds) {
        SequenceLaw law = ListOf(FeatureExpression(kind), 0);
        law.length.constant = -but;
        law.length.terms = {{1, {FeatureKind::kRanks, 0, nullptr}}};
        ExpectEveryRank(law, Grid{shape});
        law.values[0] =
            OfExpression(Combine(Op::kXor, r, FeatureExpression(kind)));
        ExpectEveryRank(law, Grid{shape});
      }
      SequenceLaw parts = ListOf(Place(), 0);
      parts.form = SequenceLaw::Form::kByParts;
      parts.values.push_back(OfExpression(Combine(Op::kAdd, r, Place())));
      parts.length.constant = 1 - but;
      parts.length.terms = {{1, {FeatureKind::kRank, 0, nullptr}}};
      ExpectEveryRank(parts, Grid{shape});
    }
  }
}

TEST(BoxSequence, GivesEveryRankTheListOfAllOthers) {
  std::mt19937 random(29);
  const std::vector<std::vector<int64_t>> shapes = {{2},    {7},    {12},
                                                    {4, 4}, {2, 5}, {3, 2, 2}};
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    const Grid grid{shapes[random() % shapes.size()]};
    const int d = int(random() % size_t(grid.size()));
    const ExpressionPtr x =
        FeatureExpression({FeatureKind::kCoord, d, nullptr});
    Expression block;
    block.op = Op::kBlock;
    block.value = d;
    block.a = ConstantExpression(1 + int64_t(random() % 40));
    const auto part = std::make_shared<const Expression>(std::move(block));
    const ExpressionPtr all[] = {
        x, part, Combine(Op::kMultiply, part, part),
        Combine(Op::kAdd, FeatureExpression({FeatureKind::kRank, 0, nullptr}),
                x),
        FeatureExpression({FeatureKind::kLast, d, nullptr})};
    ExpectEveryRank(OfAllRanks(int64_t(random() % 2), all[random() % 5]), grid);
  }
}

TEST(BoxSequence, ListsOfAllRanksTakeFewTermsOnLargeGrids) {
  Expression block;
  block.op = Op::kBlock;
  block.a = ConstantExpression(1003);
  const auto rows = std::make_shared<const Expression>(block);
  block.value = 1;
  const auto both =
      Combine(Op::kMultiply, rows, std::make_shared<const Expression>(block));
  const SequenceLaw law = OfAllRanks(0, both);
  for (const int64_t side : {10, 100, 500}) {
    const Grid grid{{side, side}};
    const BoxPattern list = PatternOn(law, Everywhere(grid)[0]);
    EXPECT_LE(list.period.size(), size_t{10}) << side;
  }
}

TEST(BoxSequence, TrianglesTakeAsManyPiecesOnAnyNumberOfRanks) {
  SequenceLaw law = ListOf(Place(), 0);
  law.length.terms = {{1, {FeatureKind::kRank, 0, nullptr}}};
  EXPECT_LE(SequencesOf(law, Grid{{1 << 20}}, 3).pieces().size(), 2);
  law.length.constant = -1;
  law.length.terms = {{-1, {FeatureKind::kRank, 0, nullptr}},
                      {1, {FeatureKind::kRanks, 0, nullptr}}};
  law.values[0].expression = AffineExpression(
      1,
      Combine(Op::kAdd, Place(),
              FeatureExpression({FeatureKind::kRank, 0, nullptr})),
      1);
  const Parameter made = SequencesOf(law, Grid{{1 << 20}}, 3);
  EXPECT_LE(made.pieces().size(), 2);
  EXPECT_EQ(made.At((1 << 20) - 3).Expand(),
            (std::vector<int64_t>{1048574, 1048575, 1048574, 1048575, 1048574,
                                  1048575}));
}

TEST(BoxSequence, ListsThatGoAroundTakeAsManyTermsHoweverOften) {
  const ExpressionPtr around =
      Combine(Op::kRemainder, Place(), ConstantExpression(6));
  const auto law = [&around](int64_t length) {
    return ListOf(Combine(Op::kLess, around, ConstantExpression(2)), length);
  };
  const auto terms = [&law](int64_t length) {
    return PatternOn(law(length), Everywhere(Grid{{1}})[0]).period.size();
  };
  EXPECT_EQ(terms(60), 1);
  EXPECT_EQ(terms(6000), 1);
}

}  // namespace
}  // namespace ranksight::online_model
