#include "reduction/merge/unite_parameters.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ranksight::reduction {
namespace {

Parameter OfRank(int64_t rank, int64_t value, bool ranked) {
  Parameter p;
  p.Add(rank, Section::Constant(value, 3), ranked);
  return p;
}

TEST(UniteParameters, EqualPairsAreUnitedOnce) {
  ParameterUniter uniter;
  const Parameter a = OfRank(0, 5, false), b = OfRank(1, 5, false);
  Parameter first = a, second = a;
  uniter.Unite(&first, b, false);
  uniter.Unite(&second, b, false);
  EXPECT_EQ(first.identity(), second.identity());
  EXPECT_EQ(first.At(1), Section::Constant(5, 3));
}

TEST(UniteParameters, GivesWhatMergingEachByItselfGives) {
  std::mt19937 rng(1);
  ParameterUniter uniter;
  std::vector<Parameter> low, high;
  for (int64_t v = 0; v < 4; ++v) {
    for (const bool ranked : {false, true}) {
      low.push_back(OfRank(0, v, ranked));
      high.push_back(OfRank(1, v + 1, ranked));
    }
  }
  for (int i = 0; i < 2000; ++i) {
    const bool ranked = rng() % 2 == 0;
    Parameter a = low[rng() % low.size()];
    Parameter b = high[rng() % high.size()];
    // Some are shared by nobody.
    if (rng() % 4 == 0) b.Add(2, Section::Constant(1, 1), ranked);
    Parameter expected = a;
    expected.Merge(b, ranked);
    uniter.Unite(&a, b, ranked);
    ASSERT_EQ(a, expected);
  }
  uniter.Discard();
}

}  // namespace
}  // namespace ranksight::reduction
