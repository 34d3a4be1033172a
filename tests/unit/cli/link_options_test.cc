#include "cli/base/link_options.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

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

TEST(LinkOptions, AllPlacesAreTheNetworksOrTheMapFiles) {
  PlaceOptions options;
  options.torus = "4x4";
  EXPECT_EQ((*MakeAllLinks(options))->ranks(), 16);
  const std::string file = ::testing::TempDir() + "all_places.map";
  std::ofstream(file) << "# a comment\n\n0 1 0\n  1 0 0 # another\n2 2 0";
  options.map = file;
  EXPECT_EQ((*MakeAllLinks(options))->ranks(), 3);
  std::remove(file.c_str());
  PlaceOptions tree;
  tree.tree = "16,8";
  EXPECT_EQ((*MakeAllLinks(tree))->ranks(), 65536);
  EXPECT_EQ(*MakeAllLinks({}), nullptr);
}

TEST(LinkOptions, PlacesOnATorusAreCountedByItsDimensions) {
  PlaceOptions options;
  options.torus = "2x3";
  options.order = "XYT";  // the last letter is the quickest
  const auto in_order = FindPlaces(options, 6);
  ASSERT_TRUE(in_order.ok()) << in_order.status().message();
  EXPECT_EQ(in_order->sides, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(in_order->places, (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
  options.order = "YXT";
  EXPECT_EQ(FindPlaces(options, 6)->places,
            (std::vector<int64_t>{0, 3, 1, 4, 2, 5}));
  options.order = "TYX";
  options.ranks_per_node = 2;
  const auto two = FindPlaces(options, 12);
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(two->sides, (std::vector<int64_t>{2, 3, 2}));
  EXPECT_EQ(two->places,
            (std::vector<int64_t>{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}));
}

TEST(LinkOptions, PlacesOnATreeAreCountedBySwitchesAndNodes) {
  PlaceOptions options;
  options.topology = "fat-tree:4x3:1x2";
  options.ranks_per_node = 2;
  const auto places = FindPlaces(options, 5);
  ASSERT_TRUE(places.ok()) << places.status().message();
  EXPECT_EQ(places->sides, (std::vector<int64_t>{3, 4, 2}));
  EXPECT_EQ(places->places, (std::vector<int64_t>{0, 1, 2, 3, 4}));
  options.topology = "dragonfly:5x3x2";
  options.ranks_per_node = 1;
  EXPECT_EQ(FindPlaces(options, 30)->sides, (std::vector<int64_t>{5, 3, 2}));
}

}  // namespace
}  // namespace ranksight::cli
