#include "cli/base/vary.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "cli/base/number_checks.h"

namespace ranksight::cli {
namespace {

using reduction::StatusCode;

// A command with options that may be varied.
class Vary : public ::testing::Test {
 protected:
  Vary() {
    app_.add_option("--compute-scale", scale_)->check(NotNegative());
    app_.add_option("--topology", places_.topology);
    app_.add_option("--torus", places_.torus);
    app_.add_option("--exchange", exchanges_)->allow_extra_args(false);
    AddVaryOption(&app_, {"compute-scale", "topology", "torus", "exchange"},
                  &vary_);
  }
  auto CasesOfWords(const std::vector<std::string>& words) {
    vary_.words = words;
    return CasesOf(vary_);
  }

  CLI::App app_;
  double scale_ = 1;
  PlaceOptions places_;
  std::vector<std::string> exchanges_;
  VaryOptions vary_;
};

TEST_F(Vary, CasesAreAllCombinationsTheLastOptionFastest) {
  const auto cases = CasesOfWords(
      {"topology=fat-tree:4x4:1x2,dragonfly:4x2x2", "compute-scale=1,0.5"});
  ASSERT_TRUE(cases.ok()) << cases.status().message();
  EXPECT_EQ(*cases,
            (std::vector<Case>{
                {{"topology", "fat-tree:4x4:1x2"}, {"compute-scale", "1"}},
                {{"topology", "fat-tree:4x4:1x2"}, {"compute-scale", "0.5"}},
                {{"topology", "dragonfly:4x2x2"}, {"compute-scale", "1"}},
                {{"topology", "dragonfly:4x2x2"}, {"compute-scale", "0.5"}}}));
}

TEST_F(Vary, AValueMayHoldAnEqualsSign) {
  const auto cases = CasesOfWords({"exchange=bcast=p2p,all=p2p"});
  ASSERT_TRUE(cases.ok()) << cases.status().message();
  ASSERT_EQ(cases->size(), 2u);
  EXPECT_EQ((*cases)[1], (Case{{"exchange", "all=p2p"}}));
}

TEST_F(Vary, WhatIsNoOptionWithValuesIsRefused) {
  for (const std::string word :
       {"", "=", "compute-scale", "compute-scale=", "compute-scale=1,",
        "compute-scale=,1", "=1", "json=1", "seed=1,2"}) {
    const auto cases = CasesOfWords({word});
    EXPECT_EQ(cases.status().code(), StatusCode::kUsage) << word;
    EXPECT_NE(cases.status().message().find("'" + word + "'"),
              std::string::npos);
  }
  EXPECT_FALSE(CasesOfWords({"torus=4x4", "topology=dragonfly:2x2x2"}).ok());
  EXPECT_FALSE(CasesOfWords({"torus=4x4", "torus=2x8"}).ok());
}

TEST_F(Vary, MoreCasesThanAnybodyReadsAreRefused) {
  std::string many = "compute-scale=1";
  for (size_t i = 1; i < kMostCases; ++i) many += ",1";
  EXPECT_TRUE(CasesOfWords({many}).ok());
  EXPECT_FALSE(CasesOfWords({many, "torus=4x4,2x8"}).ok());
}

TEST_F(Vary, ACaseSetsWhatTheOptionWould) {
  app_.parse("--compute-scale 3 --exchange bcast=p2p --exchange all=p2p",
             false);
  ASSERT_EQ(exchanges_.size(), 2u);
  ASSERT_TRUE(
      SetCase(vary_, {{"compute-scale", "0.5"}, {"exchange", "scan=p2p"}})
          .ok());
  EXPECT_EQ(scale_, 0.5);
  EXPECT_EQ(exchanges_, std::vector<std::string>{"scan=p2p"});
  ASSERT_TRUE(SetCase(vary_, {{"compute-scale", "2"}}).ok());
  EXPECT_EQ(scale_, 2);
}

TEST_F(Vary, AValueThatTheOptionRefusesIsRefused) {
  for (const std::string value : {"-1", "x", "nan"}) {
    const auto status = SetCase(vary_, {{"compute-scale", value}});
    EXPECT_EQ(status.code(), StatusCode::kUsage) << value;
  }
}

TEST_F(Vary, AnotherNetworkTakesThePlaceOfTheOneGiven) {
  places_.torus = "4x4";
  places_.tree = "4,2";
  EXPECT_FALSE(DropOtherNetworks({{"compute-scale", "2"}}, &places_));
  EXPECT_EQ(places_.torus, "4x4");
  places_.topology = "dragonfly:2x2x2";
  EXPECT_TRUE(DropOtherNetworks({{"topology", places_.topology}}, &places_));
  EXPECT_EQ(places_.torus + places_.tree, "");
  EXPECT_EQ(places_.topology, "dragonfly:2x2x2");
}

}  // namespace
}  // namespace ranksight::cli
