#include "cli/look/parameter_text.h"

#include <gtest/gtest.h>

#include "reduction/api/call.h"

namespace ranksight::cli {
namespace {

using reduction::Parameter;
using reduction::Section;

// The parameter whose rank r has the values f(r), for the ranks given.
template <class F>
Parameter Make(int64_t ranks, bool ranked, F&& f) {
  Parameter parameter;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    const std::vector<int64_t> values = f(rank);
    parameter.Add(rank, Section::Of(values), ranked);
  }
  return parameter;
}

TEST(SectionText, NamesRunsRepetitionsAndSteps) {
  EXPECT_EQ(SectionText(Section::Run(0, 1, 16)), "0..15");
  EXPECT_EQ(SectionText(Section::Run(0, 4, 4)), "0..12 by 4");
  EXPECT_EQ(SectionText(Section::Constant(7, 3)), "7x3");
  EXPECT_EQ(SectionText(Section::Constant(7, 1)), "7");
  EXPECT_EQ(SectionText(Section()), "");
}

TEST(SectionText, LongListsAreCut) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < 100; ++i) values.push_back(i * i * i % 101);
  const std::string text = SectionText(Section::Of(values));
  EXPECT_NE(text.find("..."), std::string::npos);
  EXPECT_LT(text.size(), 200u);
}

TEST(ParameterText, AValueThatNeverChangesStandsAlone) {
  EXPECT_EQ(
      ParameterText(Make(
          4, false, [](int64_t) { return std::vector<int64_t>(50, 8192); })),
      "8192");
}

TEST(ParameterText, WhatFollowsARepetitionWithinARepetitionIsNotPartOfIt) {
  const auto nested = [](int64_t) {
    std::vector<int64_t> values;
    for (int round = 0; round < 5; ++round) {
      for (int i = 0; i < 4; ++i) {
        values.push_back(7);
        values.push_back(3);
      }
      values.push_back(11);
    }
    values.push_back(40);
    return values;
  };
  EXPECT_EQ(ParameterText(Make(3, false, nested)), "((7 3)x4 11)x5 40");
}

TEST(ParameterText, PeersAreSaidRelativeToTheOwnRank) {
  const auto right = [](int64_t rank) {
    return std::vector<int64_t>(9, rank + 1);
  };
  EXPECT_EQ(ParameterText(Make(8, true, right)), "r+1");
  const auto own = [](int64_t rank) { return std::vector<int64_t>(9, rank); };
  EXPECT_EQ(ParameterText(Make(8, true, own)), "r");
  const auto both = [](int64_t rank) {
    std::vector<int64_t> values;
    for (int i = 0; i < 20; ++i) {
      values.push_back(rank + 3);
      values.push_back(rank - 5);
    }
    return values;
  };
  const std::string text = ParameterText(Make(8, true, both));
  EXPECT_NE(text.find("r+3"), std::string::npos) << text;
  EXPECT_NE(text.find("r-5"), std::string::npos) << text;
  EXPECT_NE(text.find("x20"), std::string::npos) << text;
}

TEST(ParameterText, SpecialValuesHaveNames) {
  const auto null = [](int64_t) {
    return std::vector<int64_t>{reduction::kPeerNull};
  };
  EXPECT_EQ(ParameterText(Make(3, true, null)), "null");
  EXPECT_EQ(ValueText(reduction::kTagAny), "any");
  EXPECT_EQ(ValueText(reduction::kColorUndefined), "undefined");
}

TEST(ParameterText, AMultipleOfTheRankIsSaidSo) {
  const auto twice = [](int64_t rank) {
    return std::vector<int64_t>{2 * rank + 3};
  };
  EXPECT_EQ(ParameterText(Make(8, false, twice)), "2r+3");
}

TEST(ParameterText, DifferentShapesSayTheirRanks) {
  const auto f = [](int64_t rank) {
    return rank < 4 ? std::vector<int64_t>(5, 1)
                    : std::vector<int64_t>{1, 5, 2, 9};
  };
  const std::string text = ParameterText(Make(8, false, f));
  EXPECT_EQ(text.substr(0, 9), "{0..3: 1;") << text;
  EXPECT_NE(text.find("4..7: "), std::string::npos) << text;
}

TEST(ParameterText, NothingIsADash) {
  EXPECT_EQ(ParameterText(Parameter()), "-");
}

TEST(Forms, TheLastOneSaysHowManyAreLeftOut) {
  // Every rank has a list of its own length, so a shape of its own.
  Parameter parameter;
  for (int64_t rank = 0; rank < 6; ++rank) {
    std::vector<int64_t> values;
    for (int64_t i = 0; i <= rank; ++i) values.push_back(i * i * i * 7 % 31);
    parameter.Add(rank, Section::Of(values), false);
  }
  const size_t pieces = parameter.pieces().size();
  ASSERT_GT(pieces, 2u);
  const auto forms = Forms(parameter, 2);
  ASSERT_EQ(forms.size(), 3u);
  EXPECT_EQ(forms[2].text, std::to_string(pieces - 2) + " more forms");
}

}  // namespace
}  // namespace ranksight::cli
