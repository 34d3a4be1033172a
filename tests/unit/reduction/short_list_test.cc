#include "reduction/api/short_list.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace ranksight::reduction {
namespace {

using Owned = std::shared_ptr<int>;

std::vector<int> Values(const ShortList<Owned, 2>& list) {
  std::vector<int> values;
  for (const Owned& v : list) values.push_back(*v);
  return values;
}

// Elements that are counted, so that none is lost or released twice.
TEST(ShortList, DoesAsAVectorDoesUnderRandomOperations) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 rng(seed);
    const Owned counted = std::make_shared<int>(7);
    {
      ShortList<Owned, 2> list, other;
      std::vector<int> expected, other_expected;
      for (int step = 0; step < 200; ++step) {
        switch (rng() % 6) {
          case 0:
          case 1:
            list.push_back(counted);
            expected.push_back(7);
            break;
          case 2:
            if (list.empty()) break;
            list.push_back(list.front());
            expected.push_back(expected.front());
            break;
          case 3:
            list.Cut(list.size() / 2);
            expected.resize(expected.size() / 2);
            break;
          case 4:
            other = list;
            other_expected = expected;
            break;
          default:
            std::swap(list, other);
            std::swap(expected, other_expected);
        }
        ASSERT_EQ(Values(list), expected) << "seed " << seed;
        ASSERT_EQ(Values(other), other_expected) << "seed " << seed;
        ASSERT_EQ(counted.use_count(),
                  long(1 + expected.size() + other_expected.size()));
      }
    }
    EXPECT_EQ(counted.use_count(), 1);
  }
}

TEST(ShortList, AllocatesNothingForTheFirstElements) {
  ShortList<int, 3> list{1, 2, 3};
  EXPECT_FALSE(list.allocated());
  list.push_back(4);
  EXPECT_TRUE(list.allocated());
  const ShortList<int, 3> moved = std::move(list);
  EXPECT_EQ(moved, (ShortList<int, 3>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace ranksight::reduction
