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

}  // namespace
}  // namespace ranksight::runtime
