#include "cli/look/heaviest.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ranksight::cli {
namespace {

TEST(Heaviest, FewLinesAreAllShownInTheirOrder) {
  const std::vector<uint64_t> bytes = {1, 0, 9, 9};
  const Heaviest found = HeaviestOf(bytes);
  EXPECT_EQ(found.shown, (std::vector<size_t>{0, 1, 2, 3}));
  EXPECT_EQ(found.rest, "");
}

TEST(Heaviest, NoLineThatIsLeftOutHasMoreBytesThanOneThatIsShown) {
  std::vector<uint64_t> bytes;
  for (uint64_t i = 0; i < 100; ++i) bytes.push_back(i * 37 % 101);
  const Heaviest found = HeaviestOf(bytes);
  EXPECT_TRUE(std::is_sorted(found.shown.begin(), found.shown.end()));
  std::vector<uint64_t> left = bytes;
  uint64_t least = UINT64_MAX;
  for (const size_t i : found.shown) {
    least = std::min(least, bytes[i]);
    left[i] = 0;
  }
  EXPECT_GE(least, *std::max_element(left.begin(), left.end()));
}

TEST(Heaviest, SaysHowMuchIsLeftOut) {
  std::vector<uint64_t> bytes(20, 1);
  bytes[19] = 81;
  const Heaviest found = HeaviestOf(bytes);
  EXPECT_EQ(found.shown.size(), 16u);
  EXPECT_EQ(found.shown.back(), 19u);
  EXPECT_EQ(found.rest, "and 4 more with 4.0 % of the bytes: see --json\n");
}

TEST(Heaviest, NoBytesAtAllAreNoShare) {
  const std::vector<uint64_t> bytes(17, 0);
  EXPECT_EQ(HeaviestOf(bytes).rest,
            "and 1 more with 0.0 % of the bytes: see --json\n");
}

}  // namespace
}  // namespace ranksight::cli
