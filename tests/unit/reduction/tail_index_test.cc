#include "reduction/section/tail_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

// Term by term, as the search back is meant.
bool IsSquare(const std::vector<Term>& terms, size_t length) {
  return std::equal(terms.end() - long(length), terms.end(),
                    terms.end() - 2 * long(length));
}

bool IsRound(const std::vector<Term>& terms, size_t back) {
  const Term& before = terms[terms.size() - 1 - back];
  return !before.body.empty() && before.body.size() == back;
}

Term RandomTerm(std::mt19937_64* random, int values) {
  const auto below = [&](int n) { return int64_t((*random)() % uint64_t(n)); };
  Term term{below(values), 0, uint64_t(1 + below(2)), {}};
  if (below(6) > 0) return term;
  Term repeat{0, below(2), 2, {}};
  repeat.body.resize(size_t(1 + below(30)), term);
  return repeat;
}

std::vector<size_t> All(const TailIndex& index,
                        size_t (TailIndex::*next)(size_t, size_t) const) {
  std::vector<size_t> all;
  constexpr size_t kWindow = TailIndex::kWindow;
  for (size_t k = (index.*next)(0, kWindow); k != 0;
       k = (index.*next)(k, kWindow)) {
    all.push_back(k);
  }
  return all;
}

void ExpectAllFound(const TailIndex& index, const std::vector<Term>& terms) {
  std::vector<size_t> squares, rounds;
  const size_t n = terms.size();
  for (size_t k = 1; k <= std::min(n / 2, TailIndex::kWindow); ++k) {
    if (IsSquare(terms, k)) squares.push_back(k);
  }
  for (size_t k = 1; k <= std::min(n - 1, TailIndex::kWindow); ++k) {
    if (IsRound(terms, k)) rounds.push_back(k);
  }
  EXPECT_EQ(All(index, &TailIndex::FindRound), rounds) << n;
  EXPECT_EQ(All(index, &TailIndex::FindSquare), squares) << n;
}

TEST(TailIndex, FindsWhatALookAtEachTermFinds) {
  std::mt19937_64 random(3);
  for (const int values : {1, 2, 5, 1000}) {
    TailIndex index;
    std::vector<Term> terms;
    for (int step = 0; step < 4000; ++step) {
      terms.push_back(RandomTerm(&random, values));
      index.Push(terms.back());
      // Now and then what stood at the end comes again.
      if (step % 97 == 0 && terms.size() > 200) {
        const size_t length = 1 + random() % 100;
        for (size_t i = 0; i < length; ++i) {
          terms.push_back(terms[terms.size() - length]);
          index.Push(terms.back());
        }
      }
      if (step % 89 == 0 && terms.size() > 50) {
        terms.resize(terms.size() - random() % 40);
        index.Cut(terms.size());
      }
      if (!index.IsEnough()) index.Cover(terms);
      if (step % 7 == 0) ExpectAllFound(index, terms);
    }
  }
}

TEST(TailIndex, KnowsTheSameHoweverItCameToKnowIt) {
  std::mt19937_64 random(4);
  TailIndex grown;
  std::vector<Term> terms;
  for (int step = 0; step < 3000; ++step) {
    terms.push_back(RandomTerm(&random, 3));
    grown.Push(terms.back());
    if (step % 50 != 0) continue;
    TailIndex covered;
    covered.Cover(terms);
    for (const auto next : {&TailIndex::FindRound, &TailIndex::FindSquare}) {
      EXPECT_EQ(All(grown, next), All(covered, next));
    }
  }
}

TEST(TailIndex, OverlooksNoBlocksThatMoveByANumber) {
  for (const size_t length : {1, 2, 7, 16}) {
    TailIndex index;
    for (size_t block = 0; block < 3; ++block) {
      for (size_t i = 0; i < length; ++i) {
        index.Push({int64_t(i * i + 5 * block), 0, 1, {}});
      }
    }
    EXPECT_EQ(index.FindShift(length - 1, length), length);
    index.UpdateLast({-1, 0, 1, {}});
    EXPECT_EQ(index.FindShift(length - 1, length), 0u) << length;
  }
}

}  // namespace
}  // namespace ranksight::reduction
