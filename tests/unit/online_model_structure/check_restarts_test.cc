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

const std::vector<Grid> kRuns{{{4}}, {{6}}, {{8}}};

TEST(CheckRestarts, WhatBeginsAnewInStepsIsToldFromWhatGoesOnOrRefused) {
  // 96 are four times 24, which 4, 6 and 8 divide, or twice 48.
  EXPECT_TRUE(CheckRestarts(GoingRound(96), kRuns, Grid{{12}}).ok());
  EXPECT_TRUE(CheckRestarts(GoingRound(96), kRuns, Grid{{24}}).ok());
  EXPECT_EQ(CheckRestarts(GoingRound(96), kRuns, Grid{{32}}).code(),
            reduction::StatusCode::kNo);
  EXPECT_EQ(CheckRestarts(GoingRound(96), kRuns, Grid{{48}}).code(),
            reduction::StatusCode::kNo);
}

TEST(CheckRestarts, ALoopThatRunsDoNotGoRoundInWholeHasNoParts) {
  // 100 and 24 are no whole rounds of 6 and 8, or of 16.
  EXPECT_TRUE(CheckRestarts(GoingRound(100), kRuns, Grid{{32}}).ok());
  const std::vector<Grid> runs{{{6}}, {{16}}};
  EXPECT_TRUE(CheckRestarts(GoingRound(24), runs, Grid{{32}}).ok());
}

}  // namespace
}  // namespace ranksight::online_model
