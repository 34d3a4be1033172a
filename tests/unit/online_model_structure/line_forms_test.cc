// Forms of the laws of one line: what a call with many things shows, one with
// few follows, by the program's own formula at a size never shown.
#include "online_model/structure/line_forms.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using OfWhole = std::function<int64_t(int64_t whole, const Context& c)>;

const std::vector<Grid>& LineRuns() {
  static const std::vector<Grid> runs = {{{4}}, {{6}}, {{8}}, {{12}}, {{16}}};
  return runs;
}

std::vector<Sample> SamplesWith(const OfWhole& formula, int64_t whole) {
  std::vector<Sample> samples;
  for (const Grid& g : LineRuns()) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      const Context c(g, r);
      samples.push_back({c, formula(whole, c)});
    }
  }
  return samples;
}

int64_t RestForAll(int64_t whole, const Context& c) {
  return whole / c.ranks() + whole % c.ranks();
}

ScalarLaw LawOfRestForAll(int64_t whole) {
  const auto n = FeatureExpression(Feature::Kind::kRanks);
  const auto all = ConstantExpression(whole);
  return OfExpression(Combine(Op::kAdd, Combine(Op::kDivide, all, n),
                              Combine(Op::kRemainder, all, n)));
}

TEST(LineForms, FewFollowTheFormThatManyShow) {
  LineForms forms;
  forms.Note(LawOfRestForAll(1000), SamplesWith(RestForAll, 1000));
  EXPECT_FALSE(forms.Find(SamplesWith(RestForAll, 10), std::nullopt))
      << "what this search noted is for the next one";
  forms.BeginSearch();
  for (const int64_t whole : {7, 10, 23, 100, 12345}) {
    const auto law = forms.Find(SamplesWith(RestForAll, whole), std::nullopt);
    ASSERT_TRUE(law) << whole;
    for (const int64_t ranks : {5, 32, 100}) {
      const Grid target{{ranks}};
      const Context c(target, ranks - 1);
      EXPECT_EQ(law->At(c), RestForAll(whole, c))
          << law->ToString() << " on " << ranks;
    }
  }
}

TEST(LineForms, WhatHasAnotherFormHasNoLaw) {
  LineForms forms;
  forms.Note(LawOfRestForAll(1000), SamplesWith(RestForAll, 1000));
  forms.BeginSearch();
  const auto up = [](int64_t whole, const Context& c) {
    return (whole + c.ranks() - 1) / c.ranks();
  };
  for (const int64_t whole : {10, 23, 61, 1234}) {
    EXPECT_FALSE(forms.Find(SamplesWith(up, whole), std::nullopt)) << whole;
  }
}

TEST(LineForms, AFactorIsAnotherNumberToo) {
  const auto rows = [](int64_t wide, int64_t rows) {
    return [=](int64_t, const Context& c) { return wide * (rows / c.ranks()); };
  };
  LineForms forms;
  const auto shares = Combine(Op::kDivide, ConstantExpression(4000),
                              FeatureExpression(Feature::Kind::kRanks));
  forms.Note(OfExpression(AffineExpression(30, shares, 0)),
             SamplesWith(rows(30, 4000), 0));
  forms.BeginSearch();
  const auto law = forms.Find(SamplesWith(rows(7, 643), 0), std::nullopt);
  ASSERT_TRUE(law);
  const Grid target{{21}};
  const Context c(target, 3);
  EXPECT_EQ(law->At(c), 7 * (643 / 21)) << law->ToString();
}

TEST(LineForms, NumbersThatDisagreeHaveNoValue) {
  const auto share = [](int64_t whole, const Context& c) {
    return whole / c.ranks();
  };
  LineForms forms;
  const auto shares = Combine(Op::kDivide, ConstantExpression(4000),
                              FeatureExpression(Feature::Kind::kRanks));
  forms.Note(OfExpression(shares), SamplesWith(share, 4000));
  forms.BeginSearch();
  // 96 to 99 give the same on all these.
  const auto law = forms.Find(SamplesWith(share, 98), std::nullopt);
  ASSERT_TRUE(law);
  const Grid alike{{32}}, apart{{14}};
  EXPECT_EQ(law->At(Context(alike, 0)), 3) << law->ToString();
  EXPECT_EQ(law->At(Context(apart, 0)), kNotWhole) << law->ToString();
}

// Where there are no places a law over these has the first place's values.
TEST(LineForms, AFormOfPlacesIsNoneOfOneNumber) {
  const auto from_place = [](int64_t first) {
    const auto place = FeatureExpression(Feature::Kind::kPosition);
    return OfExpression(Combine(Op::kLess, ConstantExpression(first), place));
  };
  std::vector<Sample> places, numbers;
  for (const Grid& g : LineRuns()) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      Sample s{Context(g, r), 0};
      numbers.push_back(s);
      s.where.length = 40;
      for (int64_t& k = s.where.position; k < 40; ++k) {
        s.value = k > 20 ? 1 : 0;
        places.push_back(s);
      }
    }
  }
  LineForms forms;
  forms.Note(from_place(20), places);
  forms.BeginSearch();
  EXPECT_FALSE(forms.Find(numbers, std::nullopt));
  for (Sample& s : places) s.value = s.where.position > 30 ? 1 : 0;
  EXPECT_TRUE(forms.Find(places, std::nullopt));
}

TEST(LineForms, OnesOwnFormStandsWhereItIsTheFirst) {
  LineForms forms;
  const ScalarLaw own = LawOfRestForAll(1000);
  forms.Note(own, SamplesWith(RestForAll, 1000));
  EXPECT_TRUE(forms.MayFindMore(true));
  EXPECT_FALSE(forms.MayFindMore(false)) << "one form, and nothing is missing";
  forms.BeginSearch();
  EXPECT_FALSE(forms.Find(SamplesWith(RestForAll, 1000), own));
  forms.Note(own, SamplesWith(RestForAll, 1000));
  EXPECT_FALSE(forms.MayFindMore(true)) << "nothing that was not known";
}

}  // namespace
}  // namespace ranksight::online_model
