#include "reduction/section/prefix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ranksight::reduction {
namespace {

// Values that fold: nested repetitions, some with strides, and odd ones.
std::vector<int64_t> RandomValues(std::mt19937* rng) {
  std::vector<int64_t> values;
  const auto add = [&](auto& self, int depth, int64_t shift) -> void {
    const unsigned parts = 1 + (*rng)() % 3;
    for (unsigned i = 0; i < parts; ++i) {
      const unsigned rounds = 1 + (*rng)() % 4;
      const int64_t stride = int64_t((*rng)() % 3);
      const auto seed = (*rng)();
      for (unsigned r = 0; r < rounds && values.size() < 300; ++r) {
        std::mt19937 same(seed);
        if (depth == 0) {
          values.push_back(int64_t(seed % 4) + shift + stride * r);
          continue;
        }
        std::swap(*rng, same);
        self(self, depth - 1, shift + stride * r);
        std::swap(*rng, same);
      }
    }
  };
  add(add, int((*rng)() % 3), 0);
  return values;
}

TEST(Prefix, IsWhatWalkingGives) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 rng(seed);
    const std::vector<int64_t> values = RandomValues(&rng);
    const Section section = Section::Of(values);
    uint64_t sum = 0;
    for (uint64_t n = 0; n <= values.size(); ++n) {
      ASSERT_EQ(SumOfFirst(section, n), sum) << seed << " " << n;
      ASSERT_EQ(DropFirst(section, n).Expand(),
                std::vector<int64_t>(values.begin() + long(n), values.end()))
          << seed << " " << n;
      if (n == values.size()) break;
      const auto next = uint64_t(values[n]);
      for (uint64_t s = sum; s < sum + next; ++s) {
        ASSERT_EQ(PlaceOfSum(section, s), n) << seed;
      }
      sum += next;
    }
    ASSERT_EQ(PlaceOfSum(section, sum), values.size());
    ASSERT_EQ(SumOfFirst(section, UINT64_MAX), sum);
  }
}

TEST(Prefix, FindsTheFirstDifference) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    std::mt19937 rng(seed);
    const std::vector<int64_t> a = RandomValues(&rng);
    std::vector<int64_t> b = a;
    if (seed % 3 == 0) b.resize(rng() % (b.size() + 1));
    if (seed % 3 == 1) ++b[rng() % b.size()];
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const auto found = FirstDifference(Section::Of(a), Section::Of(b));
    ASSERT_EQ(found.has_value(), x != a.end() || y != b.end()) << seed;
    const auto at = uint64_t(x - a.begin());
    ASSERT_EQ(found.value_or(at), at) << seed;
  }
}

}  // namespace
}  // namespace ranksight::reduction
