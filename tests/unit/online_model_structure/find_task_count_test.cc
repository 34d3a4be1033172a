// How often tasks are dealt out, found at few sizes, against the loops that
// programs have for them at other sizes.
#include "online_model/structure/find_task_count.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace ranksight::online_model {
namespace {

// How often, on a rank in an iteration.
using Times = std::function<int64_t(int64_t rank, int64_t ranks, int64_t k)>;
constexpr int64_t kIterations = 3;

ExpressionPtr Found(const std::vector<Grid>& lines, const Times& f,
                    bool certain) {
  std::vector<Sample> samples;
  for (const Grid& line : lines) {
    for (int64_t r = 0; r < line.ranks(); ++r) {
      for (int64_t k = 0; k < kIterations; ++k) {
        Context at(line, r);
        at.position = k;
        at.length = kIterations;
        samples.push_back({at, f(r, line.ranks(), k)});
      }
    }
  }
  return FindTaskCount(samples, 1, certain);
}

void ExpectFound(const Times& f) {
  const std::vector<Grid> lines = {{{4}}, {{6}}, {{9}}, {{12}}};
  const ExpressionPtr e = Found(lines, f, true);
  ASSERT_NE(e, nullptr);
  for (const int64_t n : {5, 16, 40}) {
    const Grid line{{n}};
    for (int64_t r = 0; r < n; ++r) {
      for (int64_t k = 0; k < kIterations; ++k) {
        Context at(line, r);
        at.position = k;
        at.length = kIterations;
        ASSERT_EQ(e->At(at), f(r, n, k))
            << e->ToString() << " at " << r << " of " << n << ", " << k;
      }
    }
  }
}

int64_t Dealt(int64_t tasks, int64_t takers, int64_t taker) {
  int64_t mine = 0;
  for (int64_t task = 0; task < tasks; ++task) mine += task % takers == taker;
  return mine;
}

TEST(TaskCount, RoundsThatAllRanksMake) {
  ExpectFound([](int64_t, int64_t n, int64_t) { return 700 / n; });
  ExpectFound([](int64_t, int64_t n, int64_t) { return (701 + n - 1) / n; });
}

TEST(TaskCount, RoundsOfARootThatTakesNone) {
  ExpectFound(
      [](int64_t r, int64_t n, int64_t) { return r == 0 ? 300 / (n - 1) : 0; });
}

TEST(TaskCount, TasksDealtInTurn) {
  ExpectFound([](int64_t r, int64_t n, int64_t) { return Dealt(61, n, r); });
  ExpectFound([](int64_t r, int64_t n, int64_t) {
    return r == 0 ? 1 : 3 * Dealt(60, n - 1, r - 1);
  });
}

// A loop is gone through twice where nothing comes in between.
TEST(TaskCount, FirstIterationsThatAreHalfAsLong) {
  ExpectFound([](int64_t, int64_t n, int64_t k) {
    return (k == 0 ? 1 : 2) * ((700 + n - 1) / n);
  });
}

TEST(TaskCount, FewSmallNumbersTellNothing) {
  const std::vector<Grid> lines = {{{4}}, {{6}}, {{9}}};
  const auto few = [](int64_t, int64_t n, int64_t) { return 12 / n; };
  EXPECT_EQ(Found(lines, few, true), nullptr);
}

// 240 tasks or 241, rounded up, are alike where all sizes divide the first.
TEST(TaskCount, WhatFitsInTwoWaysHasAValueWhereTheyAgree) {
  const std::vector<Grid> lines = {{{4}}, {{6}}, {{8}}, {{12}}};
  const auto whole = [](int64_t, int64_t n, int64_t) { return 240 / n; };
  const ExpressionPtr e = Found(lines, whole, true);
  ASSERT_NE(e, nullptr);
  const Grid line{{32}};
  EXPECT_EQ(e->At(Context(line, 0)), kNotWhole);
}

// All messages go to rank 1: nothing is dealt out.
TEST(FindTaskCount, IsNoneWhereOneRankHasAll) {
  const std::vector<Grid> lines = {{{4}}, {{6}}, {{9}}, {{12}}};
  const Times to_one = [](int64_t rank, int64_t, int64_t) {
    return rank == 1 ? int64_t{10000} : int64_t{0};
  };
  EXPECT_EQ(Found(lines, to_one, true), nullptr);
}

}  // namespace
}  // namespace ranksight::online_model
