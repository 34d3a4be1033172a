#include "online_model/synthesize/check_restarts.h"

#include <gtest/gtest.h>

#include <vector>

namespace ranksight::online_model {
namespace {

// An event that runs so often, with k mod N in iteration k.
NodeLaw GoingRound(int64_t times) {
  NodeLaw event;
  ScalarLaw trips;
  trips.constant = times;
  event.trips.values = {trips};
  SequenceLaw root;
  root.form = SequenceLaw::Form::kByIteration;
  root.values = {OfExpression(Combine(
      Expression::Op::kRemainder, FeatureExpression(Feature::Kind::kPosition),
      FeatureExpression(Feature::Kind::kRanks)))};
  event.params = {root};
  event.absent = {false};
  NodeLaw tree;
  tree.children = {event};
  return tree;
}

// Whose call has the root alone for a parameter that has a law.
reduction::Node Calls() {
  reduction::Node event;
  event.kind = reduction::Node::Kind::kEvent;
  event.call = reduction::Call::MPI_Bcast_;
  reduction::Node tree;
  tree.children = {event};
  return tree;
}

// In each of six steps 0, 1, ... N-1, again and again, `times` in all.
NodeLaw TakingRanks(int64_t times) {
  NodeLaw event = GoingRound(times).children[0];
  SequenceLaw& root = event.params[0];
  root.form = SequenceLaw::Form::kByElement;
  root.values = {OfExpression(FeatureExpression(Feature::Kind::kPosition))};
  root.length = OfExpression(FeatureExpression(Feature::Kind::kRanks));
  NodeLaw loop;
  ScalarLaw steps;
  steps.constant = 6;
  loop.trips.values = {steps};
  loop.children = {event};
  NodeLaw tree;
  tree.children = {loop};
  return tree;
}

reduction::Node CallsInSteps() {
  reduction::Node loop;
  loop.children = Calls().children;
  reduction::Node tree;
  tree.children = {loop};
  return tree;
}

const std::vector<Grid> kRuns{{{4}}, {{6}}, {{8}}};

TEST(CheckRestarts, WhatBeginsAnewInStepsIsToldFromWhatGoesOnOrRefused) {
  // 96 are four times 24, which 4, 6 and 8 divide, or twice 48.
  EXPECT_TRUE(CheckRestarts(GoingRound(96), Calls(), kRuns, Grid{{12}}).ok());
  EXPECT_TRUE(CheckRestarts(GoingRound(96), Calls(), kRuns, Grid{{24}}).ok());
  EXPECT_EQ(CheckRestarts(GoingRound(96), Calls(), kRuns, Grid{{32}}).code(),
            reduction::StatusCode::kNo);
  EXPECT_EQ(CheckRestarts(GoingRound(96), Calls(), kRuns, Grid{{48}}).code(),
            reduction::StatusCode::kNo);
}

TEST(CheckRestarts, ALoopThatRunsDoNotGoRoundInWholeHasNoParts) {
  // 100 and 24 are no whole rounds of 6 and 8, or of 16.
  EXPECT_TRUE(CheckRestarts(GoingRound(100), Calls(), kRuns, Grid{{32}}).ok());
  const std::vector<Grid> runs{{{6}}, {{16}}};
  EXPECT_TRUE(CheckRestarts(GoingRound(24), Calls(), runs, Grid{{32}}).ok());
}

// 48 a step: whole rounds of 4, 6 and 8 ranks, and of 12 and 24, not of 32.
TEST(CheckRestarts, AListMayBeginAnewInEachStep) {
  const auto check = [](int64_t times, int64_t ranks) {
    return CheckRestarts(TakingRanks(times), CallsInSteps(), kRuns,
                         Grid{{ranks}})
        .ok();
  };
  EXPECT_TRUE(check(48, 12));
  EXPECT_TRUE(check(48, 24));
  EXPECT_FALSE(check(48, 32));
  EXPECT_FALSE(check(48, 48));  // two loops of 24 are one of 48
  EXPECT_TRUE(check(50, 32));   // goes on, as the runs show
}

// In each step rank r takes a list of r + 1 values whole: no rank's list is
// held against what another rank takes.
TEST(CheckRestarts, EachRankTakesItsOwnList) {
  NodeLaw tree = TakingRanks(1);
  NodeLaw& event = tree.children[0].children[0];
  const ScalarLaw by_rank = OfExpression(
      AffineExpression(1, FeatureExpression(Feature::Kind::kRank), 1));
  event.trips.values = {by_rank};
  event.params[0].length = by_rank;
  EXPECT_TRUE(CheckRestarts(tree, CallsInSteps(), kRuns, Grid{{32}}).ok());
}

// A call of those ranks of which a loop of 47 comes to, by this place among N.
NodeLaw GuardedBy(ExpressionPtr place) {
  NodeLaw event;
  event.trips.form = SequenceLaw::Form::kByIteration;
  event.trips.values = {
      OfExpression(Combine(Expression::Op::kLess,
                           Combine(Expression::Op::kRemainder, std::move(place),
                                   FeatureExpression(Feature::Kind::kRanks)),
                           ConstantExpression(1)))};
  NodeLaw loop;
  ScalarLaw trips;
  trips.constant = 47;
  loop.trips.values = {trips};
  loop.children = {event};
  NodeLaw tree;
  tree.children = {loop};
  return tree;
}

// The same loop in the last iteration of one of 49 alone.
NodeLaw GuardedAtTheEnd(const ExpressionPtr& place) {
  using Op = Expression::Op;
  NodeLaw outer = GuardedBy(place).children[0];
  NodeLaw loop = outer;
  loop.trips.form = SequenceLaw::Form::kByIteration;
  loop.trips.values = {OfExpression(AffineExpression(
      47,
      Combine(Op::kEqual, FeatureExpression(Feature::Kind::kPosition),
              ConstantExpression(48)),
      0))};
  loop.children[0].trips.loop = 1;
  outer.trips.values[0].constant = 49;
  outer.children = {loop};
  NodeLaw tree;
  tree.children = {outer};
  return tree;
}

reduction::Node CallsInLoops() {
  reduction::Node tree;
  tree.children = {CallsInSteps()};
  return tree;
}

// Back substitution by 48 columns that are dealt in turn: runs of 4, 6 and 8
// ranks do not tell whether it counts from the first column or the last.
TEST(CheckRestarts, WhatGoesRoundBackwardsMayCountFromTheEnd) {
  using Op = Expression::Op;
  using Kind = Feature::Kind;
  const ExpressionPtr r = FeatureExpression(Kind::kRank);
  const ExpressionPtr k = FeatureExpression(Kind::kPosition);
  const ExpressionPtr left = FeatureExpression(Kind::kBack);
  const auto check = [](const ExpressionPtr& place, int64_t ranks) {
    return CheckRestarts(GuardedBy(place), CallsInSteps(), kRuns, Grid{{ranks}})
        .ok();
  };
  const ExpressionPtr backwards =
      AffineExpression(1, Combine(Op::kAdd, r, k), 2);
  EXPECT_TRUE(check(backwards, 12));
  EXPECT_FALSE(check(backwards, 32));
  EXPECT_TRUE(check(Combine(Op::kSubtract, k, r), 32));
  EXPECT_TRUE(check(Combine(Op::kSubtract, left, r), 32));
  const auto check_at_end = [&](int64_t ranks) {
    return CheckRestarts(GuardedAtTheEnd(backwards), CallsInLoops(), kRuns,
                         Grid{{ranks}})
        .ok();
  };
  EXPECT_TRUE(check_at_end(12));
  EXPECT_FALSE(check_at_end(32));
}

// An event that all ranks run `steps` * (N - 1) times, by turns one thing and
// another.
NodeLaw TakingTurns(int64_t steps) {
  using Kind = Feature::Kind;
  NodeLaw tree = GoingRound(0);
  NodeLaw& event = tree.children[0];
  event.trips.values = {OfExpression(
      AffineExpression(steps, FeatureExpression(Kind::kRanks), -steps))};
  event.params[0].values = {OfExpression(
      Combine(Expression::Op::kRemainder, FeatureExpression(Kind::kPosition),
              ConstantExpression(2)))};
  return tree;
}

// Steps of four, six and eight rounds are no other than one of all of them; of
// 23 each next one begins with what the one before ended with.
TEST(CheckRestarts, TurnsMayBeginAnewInEachPartOfALongerLoop) {
  const std::vector<Grid> odd{{{5}}, {{7}}, {{9}}}, both{{{4}}, {{6}}, {{9}}};
  const auto is_told = [](int64_t steps, const std::vector<Grid>& runs,
                          int64_t ranks) {
    return CheckRestarts(TakingTurns(steps), Calls(), runs, Grid{{ranks}}).ok();
  };
  EXPECT_FALSE(is_told(3, odd, 24));
  EXPECT_FALSE(is_told(4, odd, 24));
  EXPECT_TRUE(is_told(3, odd, 25));
  EXPECT_TRUE(is_told(3, both, 24));
  // One step alone has no parts.
  EXPECT_TRUE(is_told(1, odd, 24));
}

}  // namespace
}  // namespace ranksight::online_model
