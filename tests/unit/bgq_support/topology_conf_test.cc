// Slurm's files: against names of the same networks, and against a walk that
// knows nothing of how files are read.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "bgq_support/api/network.h"
#include "tests/unit/bgq_support/network_files.h"

namespace ranksight::bgq_support {
namespace {

TEST(TopologyConf, OfEvenSwitchesIsTheFatTreeOfThatName) {
  const char* const text =
      "# two levels\n"
      "SwitchName=top Switches=s[0-2] LinkSpeed=100\n"
      "switchname=s0 NODES=n[0-3]\n"
      "SwitchName=s1 Nodes=n[4-5],n6,n7\r\n"
      "SwitchName=s2 \\\n"
      "  Nodes=n[08-11]\n";
  ExpectSameLoads(ReadNetworkFile(text, "1x2"),
                  NetworkNamed("fat-tree:4x3:1x2"), true);
  // As many links upwards as nodes.
  ExpectSameLoads(ReadNetworkFile(text), NetworkNamed("fat-tree:4x3:1x4"),
                  true);
  EXPECT_EQ(ReadNetworkFile(text).Blocks(), (std::vector<int64_t>{4, 12}));
  EXPECT_EQ(ReadNetworkFile(text).ToString(), "file");
  ASSERT_EQ(ReadNetworkFile(text).node_names().size(), 12u);
  EXPECT_EQ(ReadNetworkFile(text).node_names()[8], "n08");
  EXPECT_TRUE(NetworkNamed("fat-tree:4x3:1x2").node_names().empty());
}

TEST(TopologyConf, OfThreeLevelsIsToo) {
  // Nodes are numbered from the root on, wherever their lines are.
  const char* const text =
      "SwitchName=a0 Nodes=n[0-1]\n"
      "SwitchName=a2 Nodes=n[4-5]\n"
      "SwitchName=a1 Nodes=n[2-3]\n"
      "SwitchName=b1 Switches=a[3-5]\n"
      "SwitchName=a3 Nodes=n[6-7]\n"
      "SwitchName=a4 Nodes=n[8-9]\n"
      "SwitchName=a5 Nodes=n[10-11]\n"
      "SwitchName=b0 Switches=a[0-2]\n"
      "SwitchName=root Switches=b[0-1]\n";
  ExpectSameLoads(ReadNetworkFile(text, "1x2x3"),
                  NetworkNamed("fat-tree:2x3x2:1x2x3"), true);
}

// Every message, from its switches' names alone.
std::vector<uint64_t> WalkUnevenTree(const Network& network,
                                     const Traffic& traffic) {
  // As below: who is above whom, how many links up, and their first number.
  struct Element {
    std::string above;
    int64_t links;
    size_t up, down;
  };
  std::map<std::string, Element> tree;
  const auto& c = network.classes();
  for (int n = 0; n < 6; ++n) {
    const std::string above = n < 3 ? "a" : n < 5 ? "b" : "root";
    // n5 is below the root, whose links begin behind those of level 0.
    tree["n" + std::to_string(n)] = {above, 1, c[n < 5 ? 0 : 2].begin,
                                     c[n < 5 ? 1 : 3].begin};
    if (n < 5) {
      tree["n" + std::to_string(n)].up += size_t(n);
      tree["n" + std::to_string(n)].down += size_t(n);
    }
  }
  // Three nodes and two.
  tree["a"] = {"root", 3, c[2].begin, c[3].begin};
  tree["b"] = {"root", 2, c[2].begin + 3, c[3].begin + 3};
  tree["n5"].up += 5;
  tree["n5"].down += 5;
  std::vector<uint64_t> load(network.links());
  ForEveryMessage(traffic, [&](int64_t from, int64_t to, uint64_t bytes) {
    if (from == to) return;
    std::string up = "n" + std::to_string(from);
    std::string down = "n" + std::to_string(to);
    const auto rise = [&](std::string* at, size_t Element::*first) {
      const Element& e = tree.at(*at);
      load[e.*first + size_t(to % e.links)] += bytes;
      *at = e.above;
    };
    const auto at_root = [](const std::string& at) { return at == "root"; };
    rise(&up, &Element::up);
    rise(&down, &Element::down);
    if (up == down) return;
    if (!at_root(up)) rise(&up, &Element::up);
    if (!at_root(down)) rise(&down, &Element::down);
  });
  return load;
}

TEST(TopologyConf, WhoseSwitchesDifferIsWalkedFromItsWords) {
  const Network network = ReadNetworkFile(
      "SwitchName=root Switches=a,b,c\n"
      "SwitchName=a Nodes=n[0-2]\n"
      "SwitchName=b Nodes=n[3-4]\n"
      "SwitchName=c Nodes=n5\n");
  // A switch of one node is passed like any other.
  EXPECT_EQ(network.links(), 2u * (6 + 6));
  std::mt19937_64 random(45);
  const Traffic traffic = MixedTraffic(6, &random);
  std::vector<uint64_t> expected = WalkUnevenTree(network, traffic);
  std::vector<uint64_t> loads = LoadsOn(network, traffic);
  // n5's own link carries what its switch's does.
  const auto& c = network.classes();
  for (const size_t side : {0u, 1u}) {
    EXPECT_EQ(loads[c[side].begin + 5], loads[c[side + 2].begin + 5]);
    loads[c[side].begin + 5] = 0;
  }
  EXPECT_EQ(loads, expected);
}

TEST(TopologyConf, MayHaveSwitchesFarBelowTheRoot) {
  // b is two levels below the root, a one.
  const Network network = ReadNetworkFile(
      "SwitchName=root Switches=a,deep\n"
      "SwitchName=deep Switches=b\n"
      "SwitchName=a Nodes=n[0-1]\n"
      "SwitchName=b Nodes=n[2-3]\n");
  std::vector<uint32_t> there, back;
  network.AddRoute(0, 3, 0, &there);
  network.AddRoute(3, 0, 0, &back);
  // n0 to a to root, to deep, to b, to n3.
  EXPECT_EQ(there.size(), 5u);
  EXPECT_EQ(back.size(), 5u);
  there.clear();
  network.AddRoute(2, 3, 0, &there);
  EXPECT_EQ(there.size(), 2u);
  std::mt19937_64 random(46);
  const Traffic traffic = MixedTraffic(4, &random);
  std::vector<uint64_t> load(network.links());
  std::vector<uint32_t> route;
  ForEveryMessage(traffic, [&](int64_t from, int64_t to, uint64_t bytes) {
    route.clear();
    network.AddRoute(from, to, 0, &route);
    for (const uint32_t link : route) load[link] += bytes;
  });
  EXPECT_EQ(LoadsOn(network, traffic), load);
}

// Sixteen nodes in four blocks, two of which form one of eight.
constexpr char kBlocks[] =
    "BlockName=b1 Nodes=n[0-3]\nBlockName=b2 Nodes=n[4-7]\n"
    "BlockName=b3 Nodes=n[8-11]\nBlockName=b4 Nodes=n[12-15]\n";

TEST(TopologyConf, BlocksAreATreeOfSwitches) {
  const std::string tree =
      "SwitchName=b1 Nodes=n[0-3]\nSwitchName=b2 Nodes=n[4-7]\n"
      "SwitchName=b3 Nodes=n[8-11]\nSwitchName=b4 Nodes=n[12-15]\n";
  const std::map<std::string, std::string> same = {
      {kBlocks, tree + "SwitchName=top Switches=b[1-4]\n"},
      {std::string(kBlocks) + "BlockSizes=4\n",
       tree + "SwitchName=top Switches=b[1-4]\n"},
      {"blocksizes=4,8\n" + std::string(kBlocks),
       tree + "SwitchName=x Switches=b[1-2]\nSwitchName=y Switches=b[3-4]\n"
              "SwitchName=top Switches=x,y\n"},
      {std::string(kBlocks) + "BlockSizes=4,16\n",
       tree + "SwitchName=top Switches=b[1-4]\n"}};
  std::mt19937_64 random(47);
  const Traffic traffic = MixedTraffic(16, &random);
  for (const auto& [blocks, switches] : same) {
    const Network one = ReadNetworkFile(blocks),
                  other = ReadNetworkFile(switches);
    EXPECT_TRUE(std::ranges::equal(one.node_names(), other.node_names()));
    EXPECT_EQ(one.links(), other.links()) << blocks;
    EXPECT_EQ(LoadsOn(one, traffic), LoadsOn(other, traffic)) << blocks;
  }
}

TEST(TopologyConf, OneBlockIsASwitch) {
  EXPECT_EQ(
      ReadNetworkFile("BlockName=b Nodes=n[0-3]\nBlockSizes=2,4\n").links(),
      ReadNetworkFile("SwitchName=b Nodes=n[0-3]\n").links());
}

TEST(TopologyConf, ThatIsNoneIsRefusedWithTheLine) {
  const std::map<std::string, std::string> reasons = {
      {"", "1: no switch"},
      {"# nothing\n\n", "2: no switch"},
      {"nonsense\n", "1: NAME=VALUE expected, found 'nonsense'"},
      {"SwitchName=a\n", "1: Nodes= or Switches= expected, one of them"},
      {"Nodes=n1\n", "1: SwitchName= expected"},
      {"SwitchName=a Nodes=n1 Switches=b\n",
       "1: Nodes= or Switches= expected, one of them"},
      {"SwitchName=a Nodes=n1 Speed=4\n",
       "1: SwitchName, Nodes, Switches or LinkSpeed expected, found 'Speed=4'"},
      {"BlockName=b\n", "1: Nodes= expected"},
      {"Nodes=n1 BlockSizes=4\n", "1: SwitchName= expected"},
      {"BlockName=b Nodes=n1\nSwitchName=s Nodes=n2\n",
       "2: switches and blocks in one file"},
      {"BlockName=b Nodes=n1\nBlockName=c Nodes=n1\n",
       "2: node 'n1' is below a switch already"},
      {"BlockSizes=4,8,\nBlockSizes=4,12\n",
       "2: BlockSizes= numbers expected, each a power of two times the one "
       "before"},
      {"BlockSizes=4,4\n",
       "1: BlockSizes= numbers expected, each a power of two times the one "
       "before"},
      {"BlockSizes=four\n",
       "1: BlockSizes= numbers expected, each a power of two times the one "
       "before"},
      {"\nSwitchName=a Nodes=n[1-\n", "2: Nodes= 5: a number expected"},
      {"SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n",
       "2: switch 'a' is there already"},
      {"SwitchName=a Nodes=n1\nSwitchName=b Switches=a,c\n",
       "2: no switch 'c'"},
      {"SwitchName=a Nodes=n1\nSwitchName=b Switches=a\n"
       "SwitchName=c Switches=a\n",
       "3: switch 'a' is below another one already"},
      {"SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\n",
       "2: no switch is above both 'a' and 'b'"},
      {"SwitchName=a Switches=b\nSwitchName=b Switches=a\n",
       "2: switches are in a ring"},
      {"SwitchName=r Switches=a,b\nSwitchName=a Nodes=n1\n"
       "SwitchName=b Nodes=n1\n",
       "3: node 'n1' is below a switch already"},
      {"SwitchName=r Nodes=n1\nSwitchName=a Switches=a\n",
       "2: switches are in a ring"}};
  for (const auto& [text, reason] : reasons) {
    const std::string said = RefusalOfFile(text);
    EXPECT_TRUE(said.starts_with(reason)) << text << said;
  }
  std::string many, deep = "SwitchName=s0 Nodes=n\n";
  for (int i = 0; i < 2; ++i) {
    many += "SwitchName=s" + std::to_string(i) + " Nodes=" + char('a' + i) +
            "[0-599999]\n";
  }
  EXPECT_EQ(RefusalOfFile(many), "2: more than 1048576 nodes and switches");
  for (int i = 1; i < 20; ++i) {
    deep += "SwitchName=s" + std::to_string(i) + " Switches=s" +
            std::to_string(i - 1) + "\n";
  }
  EXPECT_EQ(RefusalOfFile(deep), "20: more than 16 levels");
  const std::string two =
      "SwitchName=r Switches=a\nSwitchName=a Nodes=n[1-4]\n";
  EXPECT_EQ(RefusalOfFile(two, "1x2x3"),
            "2: links upwards of 2 levels expected, found 3");
  EXPECT_EQ(RefusalOfFile(two, "1x"), "1: '1x' is no list as 1x8");
  EXPECT_EQ(RefusalOfFile(two, "1x99999999999"), "1: too many links");
}

}  // namespace
}  // namespace ranksight::bgq_support
