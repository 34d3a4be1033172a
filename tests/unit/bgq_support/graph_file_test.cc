// Graphs of JSON: against names of the same networks.
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
  ExpectSameLoads(ReadNetworkFile(WrittenFatTree()),
                  NetworkNamed("fat-tree:2x3:2x3"), false);
  EXPECT_EQ(ReadNetworkFile(WrittenFatTree()).Blocks(),
            (std::vector<int64_t>{2, 6}));
  EXPECT_EQ(ReadNetworkFile(WrittenFatTree()).node_names()[5], "n5");
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
  const Network network = ReadNetworkFile(text);
  ExpectSameLoads(network, NetworkNamed("dragonfly:3x2x2"), false);
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
    const Network network = ReadNetworkFile(
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
    const std::string said = RefusalOfFile(text);
    EXPECT_TRUE(said.starts_with(why)) << text << "\n" << said;
  }
  EXPECT_EQ(RefusalOfFile(with(good), "1x2"),
            "1: links upwards are not for a graph");
  // A star of switches whose links are there 250 times.
  EXPECT_EQ(
      RefusalOfFile("{\"nodes\": \"n[0-2999]\", \"switches\": \"s[0-2999]\", "
                    "\"links\": [" +
                    NodeOnEachSwitch(3000) +
                    ", {\"from\": \"s0\", \"to\": \"s[1-2999]\", "
                    "\"count\": 250}]}"),
      "1: more switches than routes can be kept for");
  const std::string deep(100'000, '[');
  EXPECT_TRUE(RefusalOfFile("{\"nodes\": " + deep).starts_with("1: "));
}

}  // namespace
}  // namespace ranksight::bgq_support
