// Laws of trees of a fixed arity, found at few sizes, against the loops that
// programs have for them at other sizes.
#include "online_model/structure/find_tree.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace ranksight::online_model {
namespace {

using Count = std::function<int64_t(int64_t rank, int64_t ranks)>;

std::vector<Grid> Rows(std::vector<int64_t> sizes) {
  std::vector<Grid> rows;
  for (const int64_t n : sizes) rows.push_back({{n}});
  return rows;
}

std::vector<Sample> SamplesOf(const std::vector<Grid>& grids, const Count& f) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      samples.push_back({Context(g, r), f(r, g.ranks())});
    }
  }
  return samples;
}

void ExpectHolds(const ExpressionPtr& e, const Count& f) {
  ASSERT_NE(e, nullptr);
  for (const Grid& g : Rows({1, 2, 19, 64, 1000})) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      ASSERT_EQ(e->At(Context(g, r)), f(r, g.ranks()))
          << e->ToString() << " at " << r << " of " << g.ranks();
    }
  }
}

TEST(TreeOfArity, ChildrenOfEachArity) {
  for (const int64_t arity : {2, 3, 4, 5}) {
    const auto children = [arity](int64_t rank, int64_t ranks) {
      int64_t n = 0;
      for (int64_t c = arity * rank + 1; c <= arity * (rank + 1); ++c) {
        n += c < ranks;
      }
      return n;
    };
    const auto grids = Rows({5, 6, 7, 8, 9, 11, 13});
    ExpectHolds(FindChildCount(SamplesOf(grids, children), 1), children);
  }
}

TEST(TreeOfArity, WhetherThereIsASecondChild) {
  const auto second = [](int64_t rank, int64_t ranks) {
    return int64_t(2 * rank + 2 < ranks);
  };
  const auto grids = Rows({3, 4, 5, 6, 7, 9});
  const ExpressionPtr e = FindChildCount(SamplesOf(grids, second), 1);
  ExpectHolds(e, second);
  EXPECT_EQ(e->ToString(), "((2*r) + 2) < N");
}

TEST(TreeOfArity, ParentsAndFirstsOfGroups) {
  for (const int64_t back : {0, 1}) {
    for (const int64_t arity : {2, 3, 7}) {
      const auto grids = Rows({9, 16, 24});
      std::vector<Sample> samples;
      const auto parent = [=](int64_t rank) {
        int64_t p = 0;
        while (arity * (p + 1) + back <= rank) ++p;
        return p;
      };
      for (const Grid& g : grids) {
        // Rank 0 is nobody's child.
        for (int64_t r = 1; r < g.ranks(); ++r) {
          samples.push_back({Context(g, r), parent(r)});
        }
      }
      const ExpressionPtr e = FindParent(samples);
      ASSERT_NE(e, nullptr);
      const Grid large{{1000}};
      for (int64_t r = 1; r < 1000; ++r) {
        ASSERT_EQ(e->At(Context(large, r)), parent(r)) << e->ToString();
      }
    }
  }
}

TEST(TreeOfArity, SizesThatLeaveALineOpenHaveNone) {
  // 4*r < N, 4*r + 1 < N, or 3*r + 2 < N: none of these sizes tells.
  const auto first = [](int64_t rank, int64_t ranks) {
    return int64_t(4 * rank < ranks);
  };
  EXPECT_EQ(FindChildCount(SamplesOf(Rows({6, 10, 14}), first), 1), nullptr);
}

TEST(TreeOfArity, WhatIsNoLineHasNone) {
  const auto odd = [](int64_t rank, int64_t ranks) {
    return (rank * rank + ranks) % 3;
  };
  const auto samples = SamplesOf(Rows({5, 6, 7, 9}), odd);
  EXPECT_EQ(FindChildCount(samples, 1), nullptr);
  EXPECT_EQ(FindParent(samples), nullptr);
}

}  // namespace
}  // namespace ranksight::online_model
