// Formulas of the rank held against all formulas there are, tried one by one.
#include "adapters/base/rank_formula.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace ranksight::adapters {
namespace {

using Form = RankFormula::Form;
using RankValues = std::vector<std::pair<int64_t, int64_t>>;

int64_t Evaluated(const RankFormula& f, int64_t rank, int64_t ranks) {
  switch (f.form) {
    case Form::kNumber:
      return f.b;
    case Form::kShifted:
      return rank + f.b;
    case Form::kLinear:
      return f.a * rank + f.b;
    case Form::kXor:
      return rank ^ f.b;
    case Form::kModulo:
      return rank % f.a;
    case Form::kQuotient:
      return rank / f.a;
    case Form::kRing:
      return (rank + f.b) % ranks;
    case Form::kNone:
      break;
  }
  return INT64_MIN;
}

bool GivesAll(const RankFormula& f, const RankValues& values, int64_t ranks) {
  for (const auto& [rank, value] : values) {
    if (Evaluated(f, rank, ranks) != value) return false;
  }
  return true;
}

// The first form, in the order of the header, of which one with small numbers
// gives every value.
Form FirstFormOf(const RankValues& values, int64_t ranks) {
  constexpr int64_t kMost = 80;
  for (const Form form : {Form::kNumber, Form::kShifted, Form::kLinear,
                          Form::kXor, Form::kModulo, Form::kQuotient}) {
    const bool divides = form == Form::kModulo || form == Form::kQuotient;
    for (int64_t a = divides ? 1 : -kMost; a <= kMost; ++a) {
      for (int64_t b = -kMost; b <= kMost; ++b) {
        if (GivesAll({form, a, b}, values, ranks)) return form;
        if (divides) break;
      }
    }
  }
  for (int64_t b = 1; b < ranks; ++b) {
    if (GivesAll({Form::kRing, 1, b}, values, ranks)) return Form::kRing;
  }
  return Form::kNone;
}

void ExpectFirstForm(const RankValues& values, int64_t ranks) {
  const RankFormula found = FindRankFormula(values, ranks);
  const Form first = FirstFormOf(values, ranks);
  EXPECT_EQ(int(found.form), int(first)) << testing::PrintToString(values);
  if (found.form == Form::kNone) return;
  EXPECT_TRUE(GivesAll(found, values, ranks)) << testing::PrintToString(values);
}

// Some of the ranks, ascending; all of them half of the time.
std::vector<int64_t> SomeRanks(int64_t ranks, std::mt19937* random) {
  std::vector<int64_t> some;
  const bool all = (*random)() % 2 == 0;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    if (all || (*random)() % 2 == 0) some.push_back(rank);
  }
  if (some.empty()) some.push_back(ranks - 1);
  return some;
}

TEST(RankFormula, IsTheFirstOneThatGivesEveryValue) {
  std::mt19937 random(1);
  const auto at_most = [&](int64_t most) {
    return int64_t(random() % uint32_t(most + 1));
  };
  for (int round = 0; round < 3000; ++round) {
    const int64_t ranks = 1 + at_most(11);
    const auto form = Form(1 + at_most(6));
    const bool divides = form == Form::kModulo || form == Form::kQuotient;
    const bool unsigned_b = form == Form::kXor || form == Form::kRing;
    const RankFormula made = {form, divides ? 1 + at_most(5) : at_most(6) - 3,
                              unsigned_b ? at_most(7) : at_most(8) - 4};
    RankValues values;
    for (const int64_t rank : SomeRanks(ranks, &random)) {
      values.push_back({rank, Evaluated(made, rank, ranks)});
    }
    ExpectFirstForm(values, ranks);
  }
}

TEST(RankFormula, IsNoneWhereOneValueDiffers) {
  for (int64_t odd = 0; odd < 8; ++odd) {
    RankValues values;
    for (int64_t rank = 0; rank < 8; ++rank) {
      values.push_back({rank, rank == odd ? 100 : (rank + 3) % 8});
    }
    ExpectFirstForm(values, 8);
  }
}

TEST(RankFormula, OfEveryShortSequenceIsTheFirst) {
  constexpr int64_t kFormulaRanks = 4, kFormulaValues = 5;
  for (int64_t code = 0;
       code < kFormulaValues * kFormulaValues * kFormulaValues * kFormulaValues;
       ++code) {
    RankValues values;
    int64_t left = code;
    for (int64_t rank = 0; rank < kFormulaRanks;
         ++rank, left /= kFormulaValues) {
      values.push_back({rank, left % kFormulaValues});
    }
    ExpectFirstForm(values, kFormulaRanks);
  }
}

TEST(RankFormula, OfNoValueThereIsNone) {
  EXPECT_EQ(FindRankFormula({}, 4).form, Form::kNone);
}

}  // namespace
}  // namespace ranksight::adapters
