// The pool of expressions against a look at every entry.
#include "online_model/structure/expression_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ranksight::online_model {
namespace {

const std::vector<Grid>& Grids() {
  static const std::vector<Grid> grids{{{2, 2, 3}}, {{2, 3, 4}}, {{3, 3, 4}}};
  return grids;
}

class Pool : public ::testing::Test {
 protected:
  Pool() {
    for (const Grid& g : Grids()) {
      for (int64_t r = 0; r < g.ranks(); ++r) probes_.emplace_back(g, r);
    }
    SearchSpace space;
    space.ndims = 3;
    pool_.emplace(probes_, space);
  }

  Values ValuesOf(size_t id) const {
    return {pool_->values(id), pool_->values(id) + probes_.size()};
  }

  std::vector<Context> probes_;
  std::optional<ExpressionPool> pool_;
};

std::multiset<int> IdsOf(const std::vector<ExpressionPool::Match>& matches) {
  std::multiset<int> ids;
  for (const auto& m : matches) ids.insert(m.id);
  return ids;
}

TEST_F(Pool, EntriesHoldWhatTheirExpressionsGive) {
  // More than the first table of them takes.
  ASSERT_GT(pool_->size(), 2048u);
  for (size_t id = 0; id < pool_->size(); ++id) {
    const ExpressionPtr e = pool_->Build(id);
    for (size_t i = 0; i < probes_.size(); ++i) {
      ASSERT_EQ(pool_->values(id)[i], e->At(probes_[i])) << e->ToString();
    }
  }
}

// d0 / log2(N) likewise.
TEST_F(Pool, NothingIsDividedByALogarithm) {
  for (size_t id = pool_->leaves(); id < pool_->size(); ++id) {
    const ExpressionPtr e = pool_->Build(id);
    if (e->op != Expression::Op::kDivide &&
        e->op != Expression::Op::kRemainder) {
      continue;
    }
    EXPECT_FALSE(e->b->op == Expression::Op::kFeature &&
                 e->b->feature.IsLogarithm())
        << e->ToString();
  }
}

// (r == N-1) < d0 is short, and no program says so.
TEST_F(Pool, ConditionsAreComparedWithConditionsAndNumbersAlone) {
  const auto is_condition = [](const Expression& e) {
    return e.op == Expression::Op::kFeature && e.feature.IsCondition();
  };
  size_t compared = 0;
  for (size_t id = pool_->leaves(); id < pool_->size(); ++id) {
    const ExpressionPtr e = pool_->Build(id);
    if (e->op != Expression::Op::kLess && e->op != Expression::Op::kEqual) {
      continue;
    }
    ++compared;
    const bool number = e->a->op == Expression::Op::kConstant ||
                        e->b->op == Expression::Op::kConstant;
    EXPECT_TRUE(number || is_condition(*e->a) == is_condition(*e->b))
        << e->ToString();
  }
  EXPECT_GT(compared, 10u);
}

// "cost: factor * expression + add", in the order found.
std::vector<std::string> TextsOf(const ExpressionPool& pool,
                                 const Values& target) {
  std::vector<std::string> texts;
  for (const auto& m : pool.Affine(target)) {
    texts.push_back(std::to_string(m.cost) + ": " + std::to_string(m.factor) +
                    " * " + pool.Build(size_t(m.id))->ToString() + " + " +
                    std::to_string(m.add));
  }
  return texts;
}

TEST_F(Pool, PairsOnRequestGiveWhatAllDo) {
  SearchSpace space;
  space.ndims = 3;
  size_t several = 0;
  for (size_t of = 0; of < pool_->size(); of += 11) {
    Values target = ValuesOf(of);
    for (int64_t& v : target) v = -3 * v + 5;
    ExpressionPool some(probes_, space, ExpressionPool::Pairs::kOnRequest);
    some.AddPairsFor(target);
    const auto texts = TextsOf(some, target);
    ASSERT_EQ(texts, TextsOf(*pool_, target));
    several += texts.size() > 1;
  }
  EXPECT_GT(several, 0u);
  // And nothing where nothing does.
  Values target(probes_.size());
  for (size_t i = 0; i < target.size(); ++i)
    target[i] = int64_t(i * i * i % 91);
  ExpressionPool some(probes_, space, ExpressionPool::Pairs::kOnRequest);
  some.AddPairsFor(target);
  EXPECT_TRUE(some.Affine(target).empty());
  EXPECT_EQ(some.size(), some.leaves());
}

TEST_F(Pool, EqualFindsEveryEntryWithTheValues) {
  for (size_t of = 0; of < pool_->size(); of += 7) {
    const Values target = ValuesOf(of);
    std::multiset<int> same;
    for (size_t id = 0; id < pool_->size(); ++id) {
      if (ValuesOf(id) == target) same.insert(int(id));
    }
    ASSERT_EQ(IdsOf(pool_->Equal(target)), same);
  }
}

TEST_F(Pool, AffineFindsEveryEntryWithWholeFactor) {
  constexpr int64_t kMostFactor = 6;
  for (size_t of = 0; of < pool_->size(); of += 97) {
    Values target = ValuesOf(of);
    for (int64_t& v : target) v = 5 - 6 * v;
    std::multiset<int> fits;
    for (size_t id = 0; id < pool_->size(); ++id) {
      const Values v = ValuesOf(id);
      for (int64_t factor = -kMostFactor; factor <= kMostFactor; ++factor) {
        bool all = factor != 0 && std::set(v.begin(), v.end()).size() > 1;
        for (size_t i = 0; i < v.size() && all; ++i) {
          all = target[i] - target[0] == factor * (v[i] - v[0]);
        }
        if (all) fits.insert(int(id));
      }
    }
    std::vector<ExpressionPool::Match> found = pool_->Affine(target);
    ASSERT_TRUE(std::ranges::is_sorted(found, {},
                                       [](const auto& m) { return m.cost; }));
    std::erase_if(
        found, [](const auto& m) { return std::abs(m.factor) > kMostFactor; });
    ASSERT_EQ(IdsOf(found), fits) << "for 5 - 6 * entry " << of;
    for (const auto& m : found) {
      const int64_t* v = pool_->values(size_t(m.id));
      for (size_t i = 0; i < target.size(); ++i) {
        ASSERT_EQ(target[i], m.factor * v[i] + m.add);
      }
    }
  }
}

TEST_F(Pool, IsMadeOnceForTheSameProbesOfTheSameSpace) {
  SearchSpace space, ranked, with_hint;
  space.ndims = ranked.ndims = with_hint.ndims = 3;
  ranked.ranked = true;
  with_hint.hints = {ConstantExpression(77)};
  const std::vector<Context> fewer(probes_.begin(), probes_.end() - 1);
  PoolCache cache;
  const auto pool = cache.For(probes_, space);
  EXPECT_NE(cache.For(fewer, space), pool);
  EXPECT_NE(cache.For(probes_, ranked), pool);
  EXPECT_NE(cache.For(probes_, with_hint), pool);
  EXPECT_EQ(cache.For(probes_, space), pool);
  ASSERT_EQ(pool->size(), pool_->size());
  for (size_t id = 0; id < pool->size(); ++id) {
    ASSERT_EQ(pool->Build(id)->ToString(), pool_->Build(id)->ToString());
  }
}

}  // namespace
}  // namespace ranksight::online_model
