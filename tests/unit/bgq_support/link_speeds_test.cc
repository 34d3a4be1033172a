// What is said of how fast links are.
#include <gtest/gtest.h>

#include <string>

#include "bgq_support/api/network.h"
#include "tests/unit/bgq_support/network_files.h"

namespace ranksight::bgq_support {
namespace {

TEST(LinkSpeeds, AreOfAClassInBothDirections) {
  Network network = NetworkNamed("fat-tree:4x3:1x2");
  std::string reason;
  EXPECT_TRUE(network.SetSpeed("level 1=1e9", &reason)) << reason;
  EXPECT_TRUE(network.SetSpeed("nodes=2e9,3e-6", &reason)) << reason;
  EXPECT_EQ(network.classes()[0].bandwidth, 2e9);
  EXPECT_EQ(network.classes()[1].latency, 3e-6);
  EXPECT_EQ(network.classes()[3].bandwidth, 1e9);
  EXPECT_EQ(network.classes()[3].latency, LinkClass().latency);
  for (const char* text :
       {"", "nodes", "nodes=", "nodes=0", "nodes=-1", "nodes=1x", "nodes=1,",
        "nodes=1,-1", "nodes=inf", "nodes=nan", "nodes=1,1,1"}) {
    EXPECT_FALSE(network.SetSpeed(text, &reason)) << text;
  }
  EXPECT_FALSE(network.SetSpeed("level 2=1e9", &reason));
  EXPECT_EQ(reason, "'level 2' is none of 'nodes', 'level 1'");
}

TEST(LinkSpeeds, SayWhichLinkTakesLongest) {
  Network network = NetworkNamed("fat-tree:4x3:1x4");
  std::string reason;
  const auto mapping = PlaceInOrder(network, 12, 1, &reason);
  // Each node of the first switch to one of the second: all links carry 1000.
  const auto loads =
      ComputeLoads(network, *mapping, {{{0, 1, 4, 1, 4, 1000}}, {}}, &reason);
  EXPECT_DOUBLE_EQ(loads->MaxSeconds(network), 1000 / 12.5e9);
  ASSERT_TRUE(network.SetSpeed("level 1=1e9", &reason));
  EXPECT_DOUBLE_EQ(loads->MaxSeconds(network), 1000 / 1e9);
}

}  // namespace
}  // namespace ranksight::bgq_support
