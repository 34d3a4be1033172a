// Networks that files say: against names of the same networks, and against
// walks that know nothing of how files are read.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "bgq_support/api/network.h"
#include "tests/unit/bgq_support/mixed_traffic.h"

namespace ranksight::bgq_support {
namespace {

Network Read(const std::string& text, const std::string& uplinks = "") {
  std::string reason;
  const auto network = Network::FromText(text, uplinks, "file", &reason);
  EXPECT_TRUE(network.has_value()) << reason;
  return *network;
}
Network Named(const char* name) {
  std::string reason;
  return *Network::Parse(name, &reason);
}
std::string Refusal(const std::string& text, const std::string& uplinks = "") {
  std::string reason;
  EXPECT_FALSE(Network::FromText(text, uplinks, "file", &reason)) << text;
  return reason;
}

std::vector<uint64_t> LoadsOn(const Network& network, const Traffic& traffic) {
  std::string reason;
  const auto mapping = PlaceInOrder(network, network.nodes(), 1, &reason);
  return ComputeLoads(network, *mapping, traffic, &reason)->load;
}
// Whatever links are called.
std::vector<uint64_t> Sorted(std::vector<uint64_t> loads) {
  std::erase(loads, 0);
  std::sort(loads.begin(), loads.end());
  return loads;
}
void ExpectSameLoads(const Network& a, const Network& b, bool numbered) {
  std::mt19937_64 random(44);
  ASSERT_EQ(a.nodes(), b.nodes());
  for (int i = 0; i < 10; ++i) {
    const Traffic traffic = MixedTraffic(a.nodes(), &random);
    const auto one = LoadsOn(a, traffic), other = LoadsOn(b, traffic);
    if (numbered) {
      EXPECT_EQ(one, other);
    } else {
      EXPECT_EQ(Sorted(one), Sorted(other));
    }
  }
}

TEST(TopologyConf, OfEvenSwitchesIsTheFatTreeOfThatName) {
  const char* const text =
      "# two levels\n"
      "SwitchName=top Switches=s[0-2] LinkSpeed=100\n"
      "switchname=s0 NODES=n[0-3]\n"
      "SwitchName=s1 Nodes=n[4-5],n6,n7\r\n"
      "SwitchName=s2 \\\n"
      "  Nodes=n[08-11]\n";
  ExpectSameLoads(Read(text, "1x2"), Named("fat-tree:4x3:1x2"), true);
  // As many links upwards as nodes.
  ExpectSameLoads(Read(text), Named("fat-tree:4x3:1x4"), true);
  EXPECT_EQ(Read(text).Blocks(), (std::vector<int64_t>{4, 12}));
  EXPECT_EQ(Read(text).ToString(), "file");
  ASSERT_EQ(Read(text).node_names().size(), 12u);
  EXPECT_EQ(Read(text).node_names()[8], "n08");
  EXPECT_TRUE(Named("fat-tree:4x3:1x2").node_names().empty());
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
  ExpectSameLoads(Read(text, "1x2x3"), Named("fat-tree:2x3x2:1x2x3"), true);
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
  const Network network = Read(
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
  const Network network = Read(
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
    const Network one = Read(blocks), other = Read(switches);
    EXPECT_TRUE(std::ranges::equal(one.node_names(), other.node_names()));
    EXPECT_EQ(one.links(), other.links()) << blocks;
    EXPECT_EQ(LoadsOn(one, traffic), LoadsOn(other, traffic)) << blocks;
  }
}

TEST(TopologyConf, OneBlockIsASwitch) {
  EXPECT_EQ(Read("BlockName=b Nodes=n[0-3]\nBlockSizes=2,4\n").links(),
            Read("SwitchName=b Nodes=n[0-3]\n").links());
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
    const std::string said = Refusal(text);
    EXPECT_TRUE(said.starts_with(reason)) << text << said;
  }
  std::string many, deep = "SwitchName=s0 Nodes=n\n";
  for (int i = 0; i < 2; ++i) {
    many += "SwitchName=s" + std::to_string(i) + " Nodes=" + char('a' + i) +
            "[0-599999]\n";
  }
  EXPECT_EQ(Refusal(many), "2: more than 1048576 nodes and switches");
  for (int i = 1; i < 20; ++i) {
    deep += "SwitchName=s" + std::to_string(i) + " Switches=s" +
            std::to_string(i - 1) + "\n";
  }
  EXPECT_EQ(Refusal(deep), "20: more than 16 levels");
  const std::string two =
      "SwitchName=r Switches=a\nSwitchName=a Nodes=n[1-4]\n";
  EXPECT_EQ(Refusal(two, "1x2x3"),
            "2: links upwards of 2 levels expected, found 3");
  EXPECT_EQ(Refusal(two, "1x"), "1: '1x' is no list as 1x8");
  EXPECT_EQ(Refusal(two, "1x99999999999"), "1: too many links");
}

// A fat tree, switch by switch: every port leads to a switch of its own.
std::string WrittenFatTree() {
  // 2 nodes a switch, two links each: fat-tree:2x3:2x3 has, in its one group of
  // each level, 2 x 1 first switches and 2 x 3 above.
  std::string links;
  const auto add = [&](const std::string& from, const std::string& to) {
    links += std::string(links.empty() ? "" : ",\n") + "{\"from\": \"" + from +
             "\", \"to\": \"" + to + "\"}";
  };
  for (int node = 0; node < 6; ++node) {
    for (int port = 0; port < 2; ++port) {
      add("n" + std::to_string(node),
          "a" + std::to_string(node / 2) + std::to_string(port));
    }
  }
  for (int leaf = 0; leaf < 3; ++leaf) {
    for (int port = 0; port < 2; ++port) {
      for (int up = 0; up < 3; ++up) {
        add("a" + std::to_string(leaf) + std::to_string(port),
            "b" + std::to_string(port) + std::to_string(up));
      }
    }
  }
  return "{\"nodes\": \"n[0-5]\", \"switches\": \"a[0-2][0-1],b[0-1][0-2]\",\n"
         "\"links\": [" +
         links + "]}";
}

TEST(GraphFile, OfAFatTreeRoutesAsOne) {
  ExpectSameLoads(Read(WrittenFatTree()), Named("fat-tree:2x3:2x3"), false);
  EXPECT_EQ(Read(WrittenFatTree()).Blocks(), (std::vector<int64_t>{2, 6}));
  EXPECT_EQ(Read(WrittenFatTree()).node_names()[5], "n5");
}

// Three groups of two routers, two nodes each; shortest ways are not those of
// dragonflies where two cables lead there as well, so that all are given.
TEST(GraphFile, OfADragonflyTakesTheRoutesGiven) {
  const int groups = 3, routers = 2;
  const auto router = [](int group, int r) {
    return "r" + std::to_string(group) + std::to_string(r);
  };
  std::string links, routes, nodes;
  const auto item = [](std::string* list, const std::string& text) {
    *list += (list->empty() ? "" : ",\n") + text;
  };
  for (int g = 0; g < groups; ++g) {
    for (int r = 0; r < routers; ++r) {
      for (int n = 0; n < 2; ++n) {
        const int node = (g * routers + r) * 2 + n;
        item(&links, "{\"from\": \"n" + std::to_string(node) +
                         "\", \"to\": \"" + router(g, r) + "\"}");
      }
    }
    item(&links, "{\"from\": \"" + router(g, 0) + "\", \"to\": \"" +
                     router(g, 1) + "\", \"class\": \"in\"}");
    for (int other = g + 1; other < groups; ++other) {
      item(&links, "{\"from\": \"" + router(g, other % routers) +
                       "\", \"to\": \"" + router(other, g % routers) + "\"}");
    }
  }
  for (int from = 0; from < groups * routers; ++from) {
    for (int to = 0; to < groups * routers; ++to) {
      const int i = from / routers, j = to / routers;
      if (i == j) continue;
      std::string via;
      const std::string out = router(i, j % routers);
      const std::string in = router(j, i % routers);
      if (out != router(i, from % routers)) item(&via, "\"" + out + "\"");
      if (in != router(j, to % routers)) item(&via, "\"" + in + "\"");
      item(&routes, "{\"from\": \"" + router(i, from % routers) +
                        "\", \"to\": \"" + router(j, to % routers) +
                        "\", \"via\": [" + via + "]}");
    }
  }
  const std::string text =
      "{\"nodes\": \"n[0-11]\", \"switches\": \"r[0-2][0-1]\",\n"
      "\"classes\": {\"in\": {\"bandwidth\": 1e9}},\n\"links\": [" +
      links + "],\n\"routes\": [" + routes + "]}";
  const Network network = Read(text);
  ExpectSameLoads(network, Named("dragonfly:3x2x2"), false);
  ASSERT_EQ(network.classes().size(), 2u);
  EXPECT_EQ(network.classes()[0].name, "in");
  EXPECT_EQ(network.classes()[0].bandwidth, 1e9);
  EXPECT_EQ(network.classes()[0].end, 2u * 3);
}

// A random graph of switches; distances by Floyd and Warshall.
TEST(GraphFile, WithoutRoutesTakesShortestWays) {
  constexpr int kSwitches = 12;
  std::mt19937_64 random(47);
  for (int draw = 0; draw < 20; ++draw) {
    std::vector<std::vector<int>> far(kSwitches,
                                      std::vector<int>(kSwitches, 1000));
    std::string links;
    const auto add = [&](int a, int b) {
      links += ",{\"from\": \"s" + std::to_string(a) + "\", \"to\": \"s" +
               std::to_string(b) + "\"}";
      far[size_t(a)][size_t(b)] = far[size_t(b)][size_t(a)] = 1;
    };
    for (int s = 1; s < kSwitches; ++s) add(s, int(random() % uint64_t(s)));
    for (int i = 0; i < 6; ++i) {
      const int a = int(random() % kSwitches);
      const int b = int(random() % (kSwitches - 1));
      add(a, b < a ? b : b + 1);
    }
    std::string nodes;
    for (int s = 0; s < kSwitches; ++s) {
      far[size_t(s)][size_t(s)] = 0;
      nodes += std::string(s == 0 ? "" : ",") + "{\"from\": \"n[" +
               std::to_string(2 * s) + "-" + std::to_string(2 * s + 1) +
               "]\", \"to\": \"s" + std::to_string(s) + "\"}";
    }
    for (int k = 0; k < kSwitches; ++k) {
      for (auto& row : far) {
        for (int b = 0; b < kSwitches; ++b) {
          row[size_t(b)] = std::min(row[size_t(b)],
                                    row[size_t(k)] + far[size_t(k)][size_t(b)]);
        }
      }
    }
    const Network network = Read(
        "{\"nodes\": \"n[0-23]\", \"switches\": \"s[0-11]\", \"links\": [" +
        nodes + links + "]}");
    for (int64_t from = 0; from < 24; ++from) {
      for (int64_t to = 0; to < 24; ++to) {
        std::vector<uint32_t> route;
        network.AddRoute(from, to, 0, &route);
        const int hops = far[size_t(from / 2)][size_t(to / 2)];
        EXPECT_EQ(route.size(), from == to ? 0u : size_t(2 + hops));
      }
    }
  }
}

std::string NodeOnEachSwitch(int switches) {
  std::string links;
  for (int i = 0; i < switches; ++i) {
    const std::string number = std::to_string(i);
    links += std::string(i == 0 ? "" : ", ") + "{\"from\": \"n" + number +
             "\", \"to\": \"s" + number + "\"}";
  }
  return links;
}

TEST(GraphFile, ThatIsNoneIsRefusedWithTheLine) {
  const auto with = [](const std::string& links, const std::string& more = "") {
    return "{\"nodes\": \"n[0-1]\",\n\"switches\": \"s[0-1]\",\n\"links\": "
           "[\n" +
           links + "]" + more + "}";
  };
  const std::string good =
      "{\"from\": \"n[0-1]\", \"to\": \"s0\"},\n"
      "{\"from\": \"s0\", \"to\": \"s1\"}\n";
  std::string reason;
  EXPECT_TRUE(Network::FromText(with(good), "", "f", &reason)) << reason;
  const std::map<std::string, std::string> reasons = {
      {"{", "1: JSON expected"},
      {"{\n\"nodes\": 1,\n}", "3: JSON expected"},
      {"{}", "1: \"nodes\" expected"},
      {"{\n\"nodes\": 1, \"switches\": \"s\", \"links\": []}",
       "2: a text or number of another kind expected"},
      {"{\"nodes\": \"n[\", \"switches\": \"s\", \"links\": []}",
       "1: 'n[':3: a number expected"},
      {"{\"nodes\": \"a\", \"switches\": \"a\", \"links\": []}",
       "1: 'a' is named twice"},
      {with(good, ", \"more\": 1"), "6: 'more' is not known here"},
      {with("{\"from\": \"n0\"}"), "4: \"to\" expected"},
      {with("4"), "4: an object expected"},
      {with("{\"from\": \"n0\", \"to\": \"s2\"}"), "4: no node or switch 's2'"},
      {with("{\"from\": \"n0\", \"to\": \"n1\"}"),
       "4: a link between two nodes: a switch expected"},
      {with("{\"from\": \"s0\", \"to\": \"s0\"}"),
       "4: a link from a switch to itself"},
      {with("{\"from\": \"n0\", \"to\": \"s0\", \"count\": 0}"),
       "4: a count from 1 on expected"},
      {with("{\"from\": \"n0\", \"to\": \"s0\", \"count\": 99999999999}"),
       "4: more than 4194304 links"},
      {with("{\"from\": \"n0\", \"to\": \"s0\", \"class\": \"c\"}"),
       "4: no class 'c'"},
      {with("{\"from\": \"n0\", \"to\": \"s0\"}"), "4: node 'n1' has no link"},
      {with("{\"from\": \"n0\", \"to\": \"s0\"},"
            "{\"from\": \"n1\", \"to\": \"s1\"}"),
       "1: there is no way between some of the nodes"},
      {with(good, ", \"classes\": {\"c\": {\"bandwidth\": 0}}"),
       "6: a bandwidth above 0 and a latency from 0 on expected"},
      {with(good, ", \"classes\": 4"), "6: an object expected for \"classes\""},
      {with(good,
            ",\n\"routes\": [\n{\"from\": \"n0\", \"to\": \"n1\", "
            "\"via\": [\"s1\"]}]"),
       "8: a route where there is no link"},
      {with(good,
            ",\n\"routes\": [\n{\"from\": \"n0\", \"to\": \"s1\", "
            "\"via\": [\"s0\"]}]"),
       "8: a route between two switches or two nodes expected"},
      {with(good,
            ",\n\"routes\": [{\"from\": \"s0\", \"to\": \"s1\", \"via\": "
            "[]},\n{\"from\": \"s0\", \"to\": \"s1\", \"via\": []}]"),
       "8: this route is there already"}};
  for (const auto& [text, why] : reasons) {
    const std::string said = Refusal(text);
    EXPECT_TRUE(said.starts_with(why)) << text << "\n" << said;
  }
  EXPECT_EQ(Refusal(with(good), "1x2"), "1: links upwards are not for a graph");
  // A star of switches whose links are there 250 times.
  EXPECT_EQ(Refusal("{\"nodes\": \"n[0-2999]\", \"switches\": \"s[0-2999]\", "
                    "\"links\": [" +
                    NodeOnEachSwitch(3000) +
                    ", {\"from\": \"s0\", \"to\": \"s[1-2999]\", "
                    "\"count\": 250}]}"),
            "1: more switches than routes can be kept for");
  const std::string deep(100'000, '[');
  EXPECT_TRUE(Refusal("{\"nodes\": " + deep).starts_with("1: "));
}

TEST(LinkSpeeds, AreOfAClassInBothDirections) {
  Network network = Named("fat-tree:4x3:1x2");
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
  Network network = Named("fat-tree:4x3:1x4");
  std::string reason;
  const auto mapping = PlaceInOrder(network, 12, 1, &reason);
  // Each node of the first switch to one of the second: all links carry 1000.
  const auto loads =
      ComputeLoads(network, *mapping, {{{0, 1, 4, 1, 4, 1000}}, {}}, &reason);
  EXPECT_DOUBLE_EQ(loads->MaxSeconds(network), 1000 / 12.5e9);
  ASSERT_TRUE(network.SetSpeed("level 1=1e9", &reason));
  EXPECT_DOUBLE_EQ(loads->MaxSeconds(network), 1000 / 1e9);
}

// <object> with what stands in it, of cores [first, end).
std::string HwlocObject(const char* type, int first, int end,
                        const std::string& inside) {
  static int number = 100;
  const unsigned set = (1u << end) - (1u << first);
  char hex[16];
  std::snprintf(hex, sizeof hex, "0x%x", set);
  const std::string attributes =
      " cpuset=\"" + std::string(hex) + "\" complete_cpuset=\"" + hex +
      "\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"" +
      std::to_string(number++) + "\"";
  const bool cache = std::string(type) == "L3Cache";
  return "<object type=\"" + std::string(type) + "\" os_index=\"" +
         std::to_string(first) + "\"" + attributes +
         (cache ? " cache_size=\"1024\" depth=\"3\" cache_linesize=\"64\" "
                  "cache_associativity=\"4\" cache_type=\"0\""
                : "") +
         ">" + inside + "</object>\n";
}

std::string HwlocCores(int first, int end) {
  std::string cores;
  for (int c = first; c < end; ++c) {
    cores += HwlocObject("Core", c, c + 1, HwlocObject("PU", c, c + 1, ""));
  }
  return cores;
}

std::string HwlocNode(const std::string& packages, int cores) {
  const std::string all = HwlocObject(
      "Machine", 0, cores, HwlocObject("NUMANode", 0, cores, "") + packages);
  const std::string machine = "<object type=\"Machine\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
         "<topology version=\"2.0\">\n" +
         machine + " allowed_cpuset=\"" + (cores == 8 ? "0xff" : "0x7") +
         "\" allowed_nodeset=\"0x1\"" + all.substr(machine.size()) +
         "</topology>\n";
}

TEST(NetworkFile, OfHwlocIsTheInsideOfANode) {
  std::string packages;
  for (const int first : {0, 4}) {
    const auto cache = [&](int at) {
      return HwlocObject("L3Cache", at, at + 2, HwlocCores(at, at + 2));
    };
    packages += HwlocObject("Package", first, first + 4,
                            cache(first) + cache(first + 2));
  }
  std::string reason;
  const auto node =
      Network::FromText(HwlocNode(packages, 8), "1x1x1", "node.xml", &reason);
  if (reason.find("without hwloc") != reason.npos) GTEST_SKIP() << reason;
  ASSERT_TRUE(node) << reason;
  EXPECT_EQ(node->node_names()[3], "core3");
  EXPECT_EQ(node->Blocks(), (std::vector<int64_t>{2, 4, 8}));
  // As the tree that has a name.
  const auto named = Network::Parse("fat-tree:2x2x2:1x1x1", &reason);
  const auto mapping = PlaceInOrder(*node, 8, 1, &reason);
  std::mt19937_64 random(47);
  const Traffic traffic = MixedTraffic(8, &random);
  EXPECT_EQ(ComputeLoads(*node, *mapping, traffic, &reason)->load,
            ComputeLoads(*named, *mapping, traffic, &reason)->load);
}

TEST(NetworkFile, OfHwlocMayBeUneven) {
  const std::string xml =
      HwlocNode(HwlocObject("Package", 0, 2, HwlocCores(0, 2)) +
                    HwlocObject("Package", 2, 3, HwlocCores(2, 3)),
                3);
  std::string reason;
  const auto node = Network::FromText(xml, "", "node.xml", &reason);
  if (reason.find("without hwloc") != reason.npos) GTEST_SKIP() << reason;
  ASSERT_TRUE(node) << reason;
  EXPECT_EQ(node->nodes(), 3);
  EXPECT_FALSE(Network::FromText("<topology>", "", "node.xml", &reason));
  EXPECT_EQ(reason, "1: no topology that hwloc reads");
}

}  // namespace
}  // namespace ranksight::bgq_support
