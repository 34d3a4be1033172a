// Laws of values so large that their products need more than 64 bits.
#include "online_model/structure/find_affine.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "online_model/structure/expression.h"

namespace ranksight::online_model {
namespace {

constexpr int64_t kUnit = int64_t{1} << 53;
const std::vector<Feature> kSides{{Feature::Kind::kDim, 0, nullptr},
                                  {Feature::Kind::kDim, 1, nullptr}};

std::vector<Sample> SumsOfSides(const std::vector<Grid>& grids) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    samples.push_back({Context(g, 0), (g.dims[0] + g.dims[1]) * kUnit + 5});
  }
  return samples;
}

TEST(FindAffine, SumsOfAddressesAreExact) {
  const std::vector<Grid> grids{
      {{16, 16}}, {{32, 16}}, {{16, 96}}, {{64, 64}}, {{96, 96}}};
  const auto law = FindSum(SumsOfSides(grids), kSides);
  ASSERT_TRUE(law.has_value());
  const Grid unseen{{7, 120}};
  EXPECT_EQ(law->At(Context(unseen, 0)), 127 * kUnit + 5);
}

// Expressions end at 2^40.
TEST(FindAffine, WhatOnlyOneRankHasIsGivenOrThereIsNoLaw) {
  const std::vector<Grid> grids{{{2}}, {{3}}, {{4}}, {{5}}};
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      samples.push_back({Context(g, r), r == 0 ? g.ranks() * kUnit / 16 : 0});
    }
  }
  const Feature first{Feature::Kind::kZeroRank, 0, nullptr};
  const Feature ranks{Feature::Kind::kRanks, 0, nullptr};
  const auto law = FindGuarded(samples, {first, ranks});
  EXPECT_TRUE(!law || Fits(*law, samples)) << law->ToString();
}

TEST(FindAffine, ValuesBeyondTheLargestAreNone) {
  const std::vector<Grid> grids{{{16, 16}}, {{32, 16}}, {{64, 16}}};
  const auto law = FindSimple(SumsOfSides(grids), kSides);
  ASSERT_TRUE(law.has_value());
  const Grid large{{1024, 16}};
  EXPECT_EQ(law->At(Context(large, 0)), kNotWhole);
}

}  // namespace
}  // namespace ranksight::online_model
