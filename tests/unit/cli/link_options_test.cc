#include "cli/base/link_options.h"

#include <gtest/gtest.h>

#include <string>

namespace ranksight::cli {
namespace {

constexpr int64_t kTera = int64_t{1} << 40;

reduction::Status Refusal(const std::string& tree, int64_t ranks) {
  PlaceOptions options;
  options.tree = tree;
  const auto links = MakeLinks(options, ranks);
  return links.ok() ? reduction::Status::Ok() : links.status();
}

TEST(LinkOptions, ATreeThatNoMemoryHoldsIsRefused) {
  for (const auto& [tree, ranks] :
       {std::pair{"4,1099511627776", int64_t{16}},
        std::pair{"1099511627776,4", int64_t{16}}, std::pair{"4,4", kTera},
        std::pair{"1,65536", int64_t{1'000'000}}}) {
    EXPECT_EQ(Refusal(tree, ranks).code(), reduction::StatusCode::kUsage)
        << tree;
  }
  EXPECT_TRUE(Refusal("65536,65536", 1'000'000).ok());
}

TEST(LinkOptions, ATorusHasNoMoreRanksThanPlaces) {
  PlaceOptions options;
  options.torus = "4x4";
  options.ranks_per_node = 2;
  const auto links = MakeLinks(options, kTera);
  ASSERT_TRUE(links.ok()) << links.status().message();
  EXPECT_EQ((*links)->ranks(), 32);
}

}  // namespace
}  // namespace ranksight::cli
