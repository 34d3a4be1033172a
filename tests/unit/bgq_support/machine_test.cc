#include "bgq_support/api/machine.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ranksight::bgq_support {
namespace {

std::string ShapeOf(const std::string& name) {
  std::string reason;
  const auto machine = Machine::Parse(name, &reason);
  return machine ? machine->torus.ToString() : "";
}

TEST(Machine, EveryBlueGeneQPartitionIsKnown) {
  EXPECT_EQ(ShapeOf("bgq:32"), "2x2x2x2x2");
  EXPECT_EQ(ShapeOf("bgq:512"), "4x4x4x4x2");
  EXPECT_EQ(ShapeOf("bgq:1024"), "4x4x4x8x2");
  // Sequoia as a whole, and a partition that is a mesh in one dimension.
  EXPECT_EQ(ShapeOf("bgq:16x12x16x16x2"), "16x12x16x16x2");
  EXPECT_EQ(ShapeOf("bgq:4x4x8x12mx2"), "4x4x8x12mx2");
  int below_midplane = 0;
  for (const char* a : {"1", "2", "4"}) {
    for (const char* b : {"1", "2", "4"}) {
      for (const char* c : {"1", "2", "4"}) {
        for (const char* d : {"1", "2", "4"}) {
          const std::string shape =
              std::string(a) + "x" + b + "x" + c + "x" + d + "x2";
          EXPECT_EQ(ShapeOf("bgq:" + shape), shape);
          ++below_midplane;
        }
      }
    }
  }
  EXPECT_EQ(below_midplane, 81);
}

TEST(Machine, ShapesThatNoBlueGeneQHasAreRefused) {
  for (const char* shape :
       {"bgq:48", "bgq:3x4x4x4x2", "bgq:4x4x4x4x4", "bgq:4x4x4x4x1",
        "bgq:8x2x4x4x2", "bgq:4x4x4x2", "bgq:6x4x4x4x2", "bgq:", "bgq:x"}) {
    EXPECT_EQ(ShapeOf(shape), "") << shape;
  }
}

TEST(Machine, SubBlocksAreMeshesWithinAMidplane) {
  EXPECT_EQ(ShapeOf("bgq-block:0x0x0x0x0+4x2x1x4x2"), "4mx2mx1mx4mx2m");
  EXPECT_EQ(ShapeOf("bgq-block:2x3x0x0x1+2x1x4x4x1"), "2mx1mx4mx4mx1m");
  for (const char* block :
       {"bgq-block:0x0x0x0x0+3x2x1x4x2", "bgq-block:3x0x0x0x0+2x2x1x4x2",
        "bgq-block:0x0x0x0x1+2x2x1x4x2", "bgq-block:0x0x0x0+2x2x1x4",
        "bgq-block:0x0x0x0x0", "bgq-block:-1x0x0x0x0+2x2x1x4x2",
        "bgq-block:0x0x0x0x0+8x2x1x4x2"}) {
    EXPECT_EQ(ShapeOf(block), "") << block;
  }
}

TEST(Machine, BlueGenePWrapsFromAMidplaneOn) {
  EXPECT_EQ(ShapeOf("bgp:512"), "8x8x8");
  EXPECT_EQ(ShapeOf("bgp:1024"), "8x8x16");
  EXPECT_EQ(ShapeOf("bgp:64"), "4mx4mx4m");
  EXPECT_EQ(ShapeOf("bgp:8x32x16"), "8x32x16");
  EXPECT_EQ(ShapeOf("bgp:100"), "");
}

TEST(Machine, TofuHasTwelveNodesInEachUnit) {
  EXPECT_EQ(ShapeOf("tofu-d:24x23x24"), "24x23x24x2mx3x2m");
  EXPECT_EQ(ShapeOf("tofu-d:24x23"), "");
  std::string reason;
  EXPECT_EQ(Machine::Parse("tofu-d:2x2x2", &reason)->Letters(), "XYZABC");
}

TEST(Machine, NodesBehindADashTakeNoRanks) {
  std::string reason;
  for (const char* name : {"4x4m", "bgq:32", "bgq-block:0x0x0x0x0+4x2x1x4x2",
                           "bgp:32", "tofu-d:1x2x2"}) {
    const std::string shape = ShapeOf(name);
    const auto machine =
        Machine::Parse(std::string(name) + "-9,2-4,3", &reason);
    ASSERT_TRUE(machine.has_value()) << reason;
    EXPECT_EQ(machine->torus.ToString(), shape);
    EXPECT_EQ(machine->holes, (std::vector<int>{2, 3, 4, 9}));
    EXPECT_EQ(machine->free_nodes(), machine->torus.nodes() - 4);
  }
  for (const char* wrong : {"4-", "4-4", "4-1,", "4-2-1", "4-x", "4--1",
                            "4-0-3", "4-1-4", "-1", "4-0-99999999"}) {
    EXPECT_FALSE(Machine::Parse(wrong, &reason)) << wrong;
  }
}

TEST(Machine, AnUnknownNameIsRefusedWithAReason) {
  std::string reason;
  EXPECT_FALSE(Machine::Parse("cray:9", &reason));
  EXPECT_NE(reason.find("'cray:9'"), std::string::npos);
}

}  // namespace
}  // namespace ranksight::bgq_support
