#include "runtime/capture/shared_cores.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace ranksight::runtime {
namespace {

cpu_set_t Mask(std::initializer_list<int> cores) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const int core : cores) CPU_SET(core, &mask);
  return mask;
}

TEST(ShareCores, WhereRanksOutnumberTheCoresOfAll) {
  const cpu_set_t two = Mask({0, 1});
  EXPECT_FALSE(ShareCores(std::vector<cpu_set_t>(1, two)));
  EXPECT_FALSE(ShareCores(std::vector<cpu_set_t>(2, two)));
  EXPECT_TRUE(ShareCores(std::vector<cpu_set_t>(3, two)));
}

TEST(ShareCores, NotWhereEachRankIsBoundToOneOfItsOwn) {
  EXPECT_FALSE(ShareCores(std::vector{Mask({0}), Mask({1}), Mask({900})}));
}

TEST(ShareCores, WhereSomeAreBoundToTheSameWhileOthersAreFree) {
  EXPECT_TRUE(ShareCores(std::vector{Mask({0}), Mask({0}), Mask({1, 2, 3})}));
  EXPECT_TRUE(ShareCores(
      std::vector{Mask({0}), Mask({1}), Mask({0, 1}), Mask({2, 3, 4, 5})}));
  EXPECT_FALSE(ShareCores(std::vector{Mask({0}), Mask({0, 1}), Mask({0, 2})}));
}

TEST(ShareCores, NotWhereNothingIsKnown) {
  EXPECT_FALSE(ShareCores(std::vector(4, Mask({}))));
  EXPECT_FALSE(ShareCores({}));
}

}  // namespace
}  // namespace ranksight::runtime
