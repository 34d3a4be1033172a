#include "runtime/session/options.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace ranksight::runtime {
namespace {

using Params = std::map<std::string, std::string>;

TEST(Options, ParametersAreNamesAndValuesBetweenCommas) {
  EXPECT_EQ(ParseParams("n=8,name=a=b,empty="),
            (Params{{"n", "8"}, {"name", "a=b"}, {"empty", ""}}));
}

TEST(Options, WhatIsNoParameterIsPassedOver) {
  EXPECT_EQ(ParseParams(""), Params());
  EXPECT_EQ(ParseParams(",,word,=5,a=1,"), (Params{{"a", "1"}}));
}

TEST(Options, DisableTakesAnythingButZero) {
  setenv("RANKSIGHT_DISABLE", "0", 1);
  EXPECT_FALSE(ReadOptions().disabled);
  setenv("RANKSIGHT_DISABLE", "1", 1);
  EXPECT_TRUE(ReadOptions().disabled);
  unsetenv("RANKSIGHT_DISABLE");
  EXPECT_FALSE(ReadOptions().disabled);
}

TEST(Options, ARadixThatMakesNoTreeIsIgnored) {
  const int usual = ReadOptions().radix;
  for (const char* bad : {"1", "-3", "65", "many"}) {
    setenv("RANKSIGHT_RADIX", bad, 1);
    EXPECT_EQ(ReadOptions().radix, usual) << bad;
  }
  setenv("RANKSIGHT_RADIX", "8", 1);
  EXPECT_EQ(ReadOptions().radix, 8);
  unsetenv("RANKSIGHT_RADIX");
}

TEST(Options, PatienceIsSecondsAboveZeroAndADayAtMost) {
  const double usual = ReadOptions().patience_seconds;
  EXPECT_EQ(usual, 1);
  for (const char* bad : {"", "0", "-3", "long", "nan"}) {
    setenv("RANKSIGHT_PATIENCE", bad, 1);
    EXPECT_EQ(ReadOptions().patience_seconds, usual) << bad;
  }
  setenv("RANKSIGHT_PATIENCE", "2.5", 1);
  EXPECT_EQ(ReadOptions().patience_seconds, 2.5);
  setenv("RANKSIGHT_PATIENCE", "1e9", 1);
  EXPECT_EQ(ReadOptions().patience_seconds, 24 * 3600);
  unsetenv("RANKSIGHT_PATIENCE");
}

TEST(Options, ATimeShareIsPercentAndSeconds) {
  const TimeShare usual;
  const TimeShare both = ParseTimeShare("5,0.5", usual);
  EXPECT_DOUBLE_EQ(both.share, 0.05);
  EXPECT_DOUBLE_EQ(both.least_seconds, 0.5);
  const TimeShare percent = ParseTimeShare("10", usual);
  EXPECT_DOUBLE_EQ(percent.share, 0.1);
  EXPECT_DOUBLE_EQ(percent.least_seconds, usual.least_seconds);
  const TimeShare all = ParseTimeShare("5,0.5,0.8", usual);
  EXPECT_DOUBLE_EQ(all.least_seconds, 0.5);
  EXPECT_DOUBLE_EQ(all.coarse_from, 0.8);
  EXPECT_DOUBLE_EQ(both.coarse_from, usual.coarse_from);
  for (const char* bad : {"", "-1", "nan", "much", "5,", "5,-1", "5,1s", "5;1",
                          "5,1,", "5,1,-1", "5,1,1,", "5,1,1,1"}) {
    const TimeShare got = ParseTimeShare(bad, usual);
    EXPECT_EQ(got.share, usual.share) << bad;
    EXPECT_EQ(got.least_seconds, usual.least_seconds) << bad;
    EXPECT_EQ(got.coarse_from, usual.coarse_from) << bad;
  }
}

TEST(Options, NoTimeShareWhereItIsOff) {
  EXPECT_TRUE(ReadOptions().time_share.has_value());
  setenv("RANKSIGHT_TIME", "off", 1);
  EXPECT_FALSE(ReadOptions().time_share.has_value());
  unsetenv("RANKSIGHT_TIME");
}

}  // namespace
}  // namespace ranksight::runtime
