#include "online_model/structure/pattern.h"

#include <gtest/gtest.h>

namespace ranksight::online_model {
namespace {

TEST(Pattern, ExpandsToSoManyValues) {
  const Pattern pattern{{9, 8}, {1, 2, 3}};
  EXPECT_EQ(Expand(pattern, 0), std::vector<int64_t>());
  EXPECT_EQ(Expand(pattern, 1), std::vector<int64_t>({9}));
  EXPECT_EQ(Expand(pattern, 9),
            std::vector<int64_t>({9, 8, 1, 2, 3, 1, 2, 3, 1}));
}

TEST(Pattern, WithoutAPeriodIsItsPrefix) {
  EXPECT_EQ(Expand({{9, 8}, {}}, 5), std::vector<int64_t>({9, 8}));
}

TEST(Pattern, OfASectionExpandsToItsValues) {
  for (const std::vector<int64_t>& values : {std::vector<int64_t>{4, 4, 4, 4},
                                             {7, 1, 2, 1, 2, 1, 2, 1, 2},
                                             {1, 2, 3, 1, 2, 3, 1, 2, 3},
                                             {5, 3, 8}}) {
    const auto pattern = PatternOf(reduction::Section::Of(values));
    ASSERT_TRUE(pattern.has_value());
    EXPECT_EQ(Expand(*pattern, values.size()), values);
  }
}

}  // namespace
}  // namespace ranksight::online_model
