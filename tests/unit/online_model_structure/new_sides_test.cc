// Sides that the largest run alone shows, in laws of formulas.
#include "online_model/synthesize/new_sides.h"

#include <gtest/gtest.h>

#include <vector>

#include "online_model/structure/find_affine.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Kind = Feature::Kind;
using Op = Expression::Op;

const std::vector<Grid> kGrids = {
    {{3, 2, 2}}, {{3, 3, 2}}, {{4, 3, 2}}, {{4, 3, 3}}};

TEST(HasNewSide, WhereOneOrTwoLengthsWereSeenBefore) {
  EXPECT_TRUE(HasNewSide(kGrids, false));
  EXPECT_TRUE(
      HasNewSide(std::vector<Grid>{{{4, 1}}, {{4, 2}}, {{4, 4}}}, false));
  EXPECT_FALSE(
      HasNewSide(std::vector<Grid>{{{2}}, {{3}}, {{4}}, {{6}}}, false));
  // A line in all runs but the largest.
  EXPECT_FALSE(HasNewSide(
      std::vector<Grid>{{{2, 1}}, {{4, 1}}, {{6, 1}}, {{6, 2}}}, false));
  // Unless the program says that it is a plane.
  EXPECT_TRUE(HasNewSide(
      std::vector<Grid>{{{2, 1}}, {{4, 1}}, {{6, 1}}, {{6, 2}}}, true));
  EXPECT_FALSE(
      HasNewSide(std::vector<Grid>{{{4, 2}}, {{2, 4}}, {{4, 4}}}, false));
}

// Around two ranks both ways are one: three say which is which, and no run has
// three.
TEST(CheckFromOne, NoFurtherThanTheLargestRun) {
  const std::vector<Grid> grids = {{{2, 1}}, {{4, 1}}, {{6, 1}}, {{6, 2}}};
  EXPECT_TRUE(CheckFromOne(grids, {12, 2}).ok());
  EXPECT_FALSE(CheckFromOne(grids, {9, 3}).ok());
  EXPECT_TRUE(CheckFromOne(kGrids, {9, 9, 9}).ok());
}

SequenceLaw One(ExpressionPtr e) {
  SequenceLaw law;
  law.values = {OfExpression(std::move(e))};
  return law;
}

ExpressionPtr Side(int d) {
  return FeatureExpression({Kind::kDim, d, nullptr});
}

// So many barriers of each rank.
NodeLaw Barriers(ExpressionPtr count) {
  NodeLaw root;
  root.trips = One(ConstantExpression(1));
  NodeLaw& barrier = root.children.emplace_back();
  barrier.trips = One(std::move(count));
  barrier.params = {One(ConstantExpression(0))};
  barrier.absent = {false};
  return root;
}

reduction::Trace Run() {
  reduction::Trace trace;
  trace.meta.ranks = kGrids.back().ranks();
  trace.sites.sites.push_back({});
  reduction::Node& barrier = trace.root.children.emplace_back();
  barrier.kind = reduction::Node::Kind::kEvent;
  barrier.call = reduction::Call::MPI_Barrier_;
  barrier.params.resize(1);
  return trace;
}

reduction::Status Compare(ExpressionPtr all, ExpressionPtr fewer) {
  return CheckAgainstFewer(Barriers(std::move(all)), Barriers(std::move(fewer)),
                           Run(), kGrids, false);
}

TEST(CheckAgainstFewer, ASideTakenForANumber) {
  EXPECT_TRUE(Compare(Side(2), ConstantExpression(2)).ok());
}

TEST(CheckAgainstFewer, ASideTakenForPartOfAllRanks) {
  const auto all = Combine(Op::kMultiply, Side(0), Side(1));
  const auto fewer = Combine(Op::kDivide, FeatureExpression(Kind::kRanks),
                             ConstantExpression(2));
  EXPECT_TRUE(Compare(all, fewer).ok());
}

// More in the largest run than its new side accounts for.
TEST(CheckAgainstFewer, WhatChangesOtherwiseIsNamed) {
  const auto all = Combine(Op::kAdd, Side(2),
                           Combine(Op::kLess, ConstantExpression(3), Side(0)));
  const auto status = Compare(all, ConstantExpression(2));
  EXPECT_EQ(status.code(), reduction::StatusCode::kNo);
  EXPECT_NE(status.message().find("MPI_Barrier"), std::string::npos)
      << status.message();
}

TEST(CheckAgainstFewer, WhatHasNoValueAnywhereIsNothing) {
  const auto none = Combine(Op::kDivideExactly, ConstantExpression(1), Side(0));
  EXPECT_FALSE(Compare(Side(2), none).ok());
}

}  // namespace
}  // namespace ranksight::online_model
