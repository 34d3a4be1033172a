#include "bgq_support/api/network.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "tests/unit/bgq_support/mixed_traffic.h"

namespace ranksight::bgq_support {
namespace {

Network Parsed(const std::string& text) {
  std::string reason;
  const auto network = Network::Parse(text, &reason);
  EXPECT_TRUE(network.has_value()) << reason;
  return *network;
}

bool RouteByValiant(Network* network) {
  std::string reason;
  return network->RouteBy("valiant", &reason);
}

// Loads by walking every message switch by switch, from the words of network.h.
class Walk {
 public:
  explicit Walk(const Network& network)
      : network_(network), load_(network.links(), 0) {}
  const std::vector<uint64_t>& load() const { return load_; }

  void Send(int64_t from, int64_t to, uint64_t bytes, uint64_t scale) {
    if (from == to) return;
    if (const auto* tree = std::get_if<FatTree>(&network_.shape())) {
      OnTree(*tree, from, to, bytes);
    } else {
      OnDragonfly(std::get<Dragonfly>(network_.shape()), from, to, bytes,
                  scale);
    }
  }

 private:
  // A switch is its level, the subtree that it is above, and which of the
  // switches above that: the ports that lead to it, the lowest digit first.
  struct Switch {
    size_t level;
    int64_t subtree;
    std::vector<int64_t> ports;
  };

  // The number of the link from an element upwards by a port.
  static int64_t UpLink(const FatTree& tree, const Switch& at, int64_t port) {
    int64_t number = 0, step = 1;
    for (size_t l = 0; l < at.level; ++l) {
      number += at.ports[l] * step;
      step *= tree.uplinks[l];
    }
    number += port * step;
    return at.subtree * step * tree.uplinks[at.level] + number;
  }
  void OnTree(const FatTree& tree, int64_t from, int64_t to, uint64_t bytes) {
    std::vector<int64_t> ports, subtrees = {to};
    int64_t rest = to;
    for (size_t l = 0; l < tree.children.size(); ++l) {
      ports.push_back(rest % tree.uplinks[l]);
      rest /= tree.uplinks[l];
      subtrees.push_back(subtrees.back() / tree.children[l]);
    }
    Switch at{0, from, {}};
    while (at.subtree != subtrees[at.level]) {
      const int64_t port = ports[at.level];
      load_[network_.classes()[2 * at.level].begin +
            size_t(UpLink(tree, at, port))] += bytes;
      at.ports.push_back(port);
      at.subtree /= tree.children[at.level];
      ++at.level;
    }
    while (at.level > 0) {
      const int64_t port = at.ports.back();
      at.ports.pop_back();
      --at.level;
      at.subtree = subtrees[at.level];
      load_[network_.classes()[2 * at.level + 1].begin +
            size_t(UpLink(tree, at, port))] += bytes;
    }
    ASSERT_EQ(at.subtree, to);
  }

  void Local(const Dragonfly& d, int64_t group, int64_t from, int64_t to,
             uint64_t bytes) {
    if (from == to) return;
    std::vector<int64_t> others;
    for (int64_t r = 0; r < d.routers; ++r) {
      if (r != from) others.push_back(r);
    }
    const auto at = std::find(others.begin(), others.end(), to);
    load_[network_.classes()[2].begin +
          size_t((group * d.routers + from) * (d.routers - 1) +
                 (at - others.begin()))] += bytes;
  }
  // From a router of a group to another group; returns the router there.
  int64_t Cross(const Dragonfly& d, int64_t group, int64_t router,
                int64_t other, int64_t cable, uint64_t bytes) {
    const int64_t gateway = (other * d.cables + cable) % d.routers;
    Local(d, group, router, gateway, bytes);
    std::vector<int64_t> others;
    for (int64_t g = 0; g < d.groups; ++g) {
      if (g != group) others.push_back(g);
    }
    const auto at = std::find(others.begin(), others.end(), other);
    load_[network_.classes()[3].begin +
          size_t((group * (d.groups - 1) + (at - others.begin())) * d.cables +
                 cable)] += bytes;
    return (group * d.cables + cable) % d.routers;
  }
  void OnDragonfly(const Dragonfly& d, int64_t from, int64_t to, uint64_t bytes,
                   uint64_t scale) {
    load_[network_.classes()[0].begin + size_t(from)] += bytes * scale;
    load_[network_.classes()[1].begin + size_t(to)] += bytes * scale;
    const int64_t a = from / d.nodes, b = to / d.nodes;
    const int64_t i = a / d.routers, j = b / d.routers, cable = to % d.cables;
    if (i == j) return Local(d, i, a % d.routers, b % d.routers, bytes * scale);
    if (!d.valiant || d.groups < 3) {
      const int64_t at = Cross(d, i, a % d.routers, j, cable, bytes);
      return Local(d, j, at, b % d.routers, bytes);
    }
    for (int64_t k = 0; k < d.groups; ++k) {
      if (k == i || k == j) continue;
      int64_t at = Cross(d, i, a % d.routers, k, cable, bytes);
      at = Cross(d, k, at, j, cable, bytes);
      Local(d, j, at, b % d.routers, bytes);
    }
  }

  const Network& network_;
  std::vector<uint64_t> load_;
};

std::vector<uint64_t> WalkEveryMessage(const Network& network,
                                       const Mapping& mapping,
                                       const Traffic& traffic, uint64_t scale) {
  Walk walk(network);
  const auto send = [&](int64_t from, int64_t to, uint64_t bytes) {
    walk.Send(mapping.places()[size_t(from)].node,
              mapping.places()[size_t(to)].node, bytes, scale);
  };
  ForEveryMessage(traffic, send);
  return walk.load();
}

const char* const kNetworks[] = {
    "fat-tree:4:1",         "fat-tree:4x3:1x2",     "fat-tree:3x4:2x3",
    "fat-tree:2x3x4:1x2x3", "fat-tree:4x2x3:1x3x1", "fat-tree:2x2x2x2:1x2x1x2",
    "dragonfly:1x3x2",      "dragonfly:2x3x2",      "dragonfly:3x2x2",
    "dragonfly:5x4x3",      "dragonfly:4x3x2:2",    "dragonfly:6x1x2:3",
    "dragonfly:7x2x1:5"};

TEST(NetworkLoads, AreThoseOfEveryMessageWalked) {
  std::mt19937_64 random(37);
  for (const char* name : kNetworks) {
    for (const bool valiant : {false, true}) {
      Network network = Parsed(name);
      if (valiant && !RouteByValiant(&network)) continue;
      for (const int each : {1, 3}) {
        const int64_t ranks = network.nodes() * each - (each > 1 ? 1 : 0);
        std::string reason;
        const auto mapping = PlaceInOrder(network, ranks, each, &reason);
        ASSERT_TRUE(mapping.has_value()) << reason;
        const Traffic traffic = MixedTraffic(ranks, &random);
        const auto loads = ComputeLoads(network, *mapping, traffic, &reason);
        ASSERT_TRUE(loads.has_value()) << reason;
        ASSERT_EQ(loads->load,
                  WalkEveryMessage(network, *mapping, traffic, loads->scale))
            << name << (valiant ? " valiant" : "");
        uint64_t sent = 0, local = 0;
        ForEveryMessage(traffic, [&](int64_t from, int64_t to, uint64_t b) {
          sent += b;
          if (from / each == to / each) local += b;
        });
        ASSERT_EQ(loads->sent_bytes, sent);
        ASSERT_EQ(loads->local_bytes, local);
      }
    }
  }
}

// Each message as often as it has ways.
std::vector<uint64_t> LoadsOfRoutes(const Network& network,
                                    const Traffic& traffic) {
  std::vector<uint64_t> load(network.links(), 0);
  std::vector<uint32_t> route;
  ForEveryMessage(traffic, [&](int64_t from, int64_t to, uint64_t bytes) {
    for (int64_t way = 0; way < network.ways(); ++way) {
      route.clear();
      network.AddRoute(from, to, way, &route);
      for (const uint32_t link : route) load[link] += bytes;
    }
  });
  return load;
}

TEST(NetworkRoutes, AddUpToTheLoads) {
  std::mt19937_64 random(41);
  for (const char* name : kNetworks) {
    for (const bool valiant : {false, true}) {
      Network network = Parsed(name);
      if (valiant && !RouteByValiant(&network)) continue;
      const Traffic traffic = MixedTraffic(network.nodes(), &random);
      std::string reason;
      const auto mapping = PlaceInOrder(network, network.nodes(), 1, &reason);
      const auto loads = ComputeLoads(network, *mapping, traffic, &reason);
      EXPECT_EQ(int64_t(loads->scale), network.ways());
      EXPECT_EQ(loads->load, LoadsOfRoutes(network, traffic)) << name;
    }
  }
}

TEST(NetworkRoutes, OnATorusAddUpToTheLoads) {
  std::mt19937_64 random(43);
  for (const char* name : {"torus:4x3x2", "torus:2x2", "torus:6x1x3m",
                           "torus:4mx4", "torus:3x3x3", "torus:5"}) {
    for (const char* zone : {"0", "1", "2", "3", "0+", "2+"}) {
      Network network = Parsed(name);
      std::string reason;
      ASSERT_TRUE(network.RouteBy(zone, &reason)) << reason;
      const Traffic traffic = MixedTraffic(network.nodes(), &random);
      const auto mapping = PlaceInOrder(network, network.nodes(), 1, &reason);
      const auto loads = ComputeLoads(network, *mapping, traffic, &reason);
      std::vector<uint64_t> routed = LoadsOfRoutes(network, traffic);
      for (uint64_t& load : routed) load *= loads->scale;
      std::vector<uint64_t> counted = loads->load;
      for (uint64_t& load : counted) load *= uint64_t(network.ways());
      EXPECT_EQ(counted, routed) << name << " zone " << zone;
    }
  }
}

// Where a link leads that leaves a node of a torus: links are numbered by
// dimension and direction, by node.
int EndOfLink(const Torus& torus, uint32_t link) {
  const int direction = int(link) / torus.nodes();
  Coordinates at = torus.CoordinatesOf(int(link) % torus.nodes());
  const int dim = direction / 2;
  const int length = torus.dimensions()[size_t(dim)].length;
  int& here = at[size_t(dim)];
  here = (here + (direction % 2 == 1 ? 1 : length - 1)) % length;
  return torus.NodeAt(at);
}

TEST(NetworkRoutes, OnATorusLeadFromNodeToNodeOnShortestWays) {
  for (const char* name : {"torus:4x3x2", "torus:6x1x3m", "torus:4mx4"}) {
    for (const char* zone : {"0", "1", "3+"}) {
      Network network = Parsed(name);
      std::string reason;
      ASSERT_TRUE(network.RouteBy(zone, &reason)) << reason;
      const Torus& torus = network.torus()->machine.torus;
      for (int pair = 0; pair < torus.nodes() * torus.nodes(); ++pair) {
        const int from = pair / torus.nodes(), to = pair % torus.nodes();
        if (from == to) continue;
        for (int64_t way = 0; way < network.ways(); ++way) {
          std::vector<uint32_t> route;
          network.AddRoute(from, to, way, &route);
          ASSERT_EQ(int(route.size()), torus.Distance(from, to));
          int at = from;
          for (const uint32_t link : route) {
            ASSERT_EQ(int(link) % torus.nodes(), at) << name << " way " << way;
            at = EndOfLink(torus, link);
          }
          ASSERT_EQ(at, to) << name << " zone " << zone << " way " << way;
        }
      }
    }
  }
}

TEST(Network, ATorusIsOneByTheNamesOfMachines) {
  const Network network = Parsed("torus:bgq:32-5");
  ASSERT_NE(network.torus(), nullptr);
  EXPECT_EQ(network.nodes(), 32);
  EXPECT_EQ(network.free_nodes(), 31);
  EXPECT_EQ(network.classes().size(), 10u);
  EXPECT_EQ(network.classes()[1].name, "A, up");
  EXPECT_EQ(network.links(), 320u);
  EXPECT_EQ(network.Blocks().back(), 32);
  EXPECT_EQ(FewestRanksPerNode(network, 33), 2);
  std::string reason;
  EXPECT_FALSE(Network::Parse("torus:4x", &reason));
  Network other = Parsed("torus:4x4");
  EXPECT_FALSE(other.RouteBy("valiant", &reason));
  EXPECT_FALSE(other.SetSpeed("X=1e9", &reason));
  EXPECT_EQ(reason, "not for tori");
  // Its map files have coordinates.
  const auto mapping = PlaceInOrder(other, 16, 1, &reason, "YXT");
  ASSERT_TRUE(mapping.has_value()) << reason;
  EXPECT_EQ(mapping->places()[1].node, 4);
  EXPECT_NE(WritePlaces(other, *mapping).find("\n1 0 0\n"), std::string::npos);
  EXPECT_EQ(ReadPlaces(other, 16, WritePlaces(other, *mapping), &reason),
            mapping);
}

TEST(NetworkRoutes, AreDrawnAboutAsOften) {
  Network network = Parsed("dragonfly:10x4x2");
  EXPECT_EQ(network.ways(), 1);
  EXPECT_TRUE(RouteByValiant(&network));
  ASSERT_EQ(network.ways(), 8);
  // A shift, as of a halo.
  std::vector<int> taken(8);
  for (int64_t from = 0; from < 80; ++from) {
    for (int64_t shift = 1; shift <= 8; ++shift) {
      ++taken[size_t(network.WayOf(from, (from + shift) % 80))];
    }
  }
  for (const int count : taken) EXPECT_NEAR(count, 80, 30);
}

TEST(NetworkLoads, AreTheSameOnManyThreads) {
  const Network network = Parsed("dragonfly:5x4x3:2");
  const int64_t ranks = 60 * 400;
  std::string reason;
  const auto mapping = PlaceInOrder(network, ranks, 400, &reason);
  Traffic traffic;
  for (int64_t shift : {1, 399, 400, 7919}) {
    traffic.flows.push_back({0, 1, shift, 1, ranks - shift, uint64_t(shift)});
  }
  ASSERT_EQ(ComputeLoads(network, *mapping, traffic, &reason)->load,
            WalkEveryMessage(network, *mapping, traffic, 1));
}

TEST(NetworkLoads, TooLargeForExactSumsAreRefused) {
  Network network = Parsed("dragonfly:5x4x3");
  EXPECT_TRUE(RouteByValiant(&network));
  std::string reason;
  const auto mapping = PlaceInOrder(network, 60, 1, &reason);
  const Traffic traffic{{{0, 0, 59, 0, 1, uint64_t{1} << 62}}, {}};
  EXPECT_FALSE(ComputeLoads(network, *mapping, traffic, &reason));
  EXPECT_EQ(reason, "too many bytes for exact loads with this routing");
}

TEST(NetworkRoutes, AreTheDefaultAgainAfterOthers) {
  std::string reason;
  for (const char* back : {"", "minimal"}) {
    Network network = Parsed("dragonfly:10x4x2");
    EXPECT_TRUE(RouteByValiant(&network));
    EXPECT_TRUE(network.RouteBy(back, &reason));
    EXPECT_EQ(network.ways(), 1) << back;
    EXPECT_EQ(std::get<Dragonfly>(network.shape()), Dragonfly({10, 4, 2}));
  }
  Network torus = Parsed("torus:3x4");
  const int64_t ways = torus.ways();
  EXPECT_TRUE(torus.RouteBy("2+", &reason));
  EXPECT_NE(torus.ways(), ways);
  EXPECT_TRUE(torus.RouteBy("", &reason));
  EXPECT_EQ(torus.ways(), ways);
}

TEST(NetworkName, OfATorusHasItsMachineAndHoles) {
  for (const char* name : {"torus:bgq:512", "torus:tofu-d:4x6x2-17,40-47",
                           "torus:4mx3", "torus:bgp:512"}) {
    const Network network = Parsed(name);
    EXPECT_EQ(network.ToString(), name);
    const Network again = Parsed(network.ToString().c_str());
    EXPECT_EQ(again.classes()[0].bandwidth, network.classes()[0].bandwidth);
    EXPECT_EQ(again.torus()->machine.holes, network.torus()->machine.holes);
    EXPECT_EQ(again.torus()->machine.slots_per_node,
              network.torus()->machine.slots_per_node);
  }
}

TEST(NetworkName, IsWrittenAsItIsRead) {
  for (const char* name : kNetworks) {
    EXPECT_EQ(Parsed(name).ToString(), name);
  }
  EXPECT_EQ(Parsed("fat-tree:16x12x8:1x8x6").nodes(), 16 * 12 * 8);
  EXPECT_EQ(Parsed("dragonfly:9x8x4").nodes(), 9 * 8 * 4);
  // 9 groups, 8 others, one cable each way; 8 routers, 7 others.
  EXPECT_EQ(Parsed("dragonfly:9x8x4").links(), 2u * 288 + 9 * 8 * 7 + 9 * 8);
  EXPECT_EQ(Parsed("fat-tree:16x32:1x8").links(), 2u * 512 + 2 * 32 * 8);
}

TEST(NetworkName, ThatIsNoneIsRefused) {
  for (const char* name : {"",
                           ":",
                           "fat-tree",
                           "fat-tree:4",
                           "fat-tree:4x3:1",
                           "fat-tree:0:1",
                           "fat-tree:4x3:1x2:1",
                           "fat-tree:4x:1x1",
                           "dragonfly:2x2",
                           "dragonfly:2x2x2:",
                           "dragonfly:2x2x2:1x1",
                           "dragonfly:2x2x2:0",
                           "fat-tree:99999999999999999999:1",
                           "4x4",
                           "fat-tree:4194305:1",
                           "fat-tree:4096x1024:1x65536",
                           "fat-tree:2x2:9999999999x9999999999",
                           "fat-tree:2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1:"
                           "1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1",
                           "dragonfly:4194304x1x1",
                           "dragonfly:2x2x2:9999999999999"}) {
    std::string reason;
    EXPECT_FALSE(Network::Parse(name, &reason)) << name;
    EXPECT_NE(reason, "") << name;
  }
}

TEST(NetworkPlaces, AreReadAsTheyAreWritten) {
  const Network network = Parsed("fat-tree:4x3:1x2");
  const Mapping mapping({{11, 0}, {0, 1}, {0, 0}, {7, 63}});
  std::string reason;
  EXPECT_EQ(ReadPlaces(network, 4, WritePlaces(network, mapping), &reason),
            mapping);
  for (const auto& [text, why] :
       {std::pair{"0 0\n12 0\n", "2: node 12 outside 0 to 11"},
        std::pair{"-1 0\n", "1: node -1 outside 0 to 11"},
        std::pair{"1 -1\n", "1: slot T=-1 outside 0 to 16777215"},
        std::pair{"1 0\n# one\n1 0\n", "3: this place is taken already"},
        std::pair{"1 0 0\n", "1: 2 columns (NT) expected, found 3"},
        std::pair{"1 0\n", "1: places of 1 ranks, 2 needed"}}) {
    EXPECT_FALSE(ReadPlaces(network, 2, text, &reason)) << text;
    EXPECT_EQ(reason, why);
  }
}

TEST(NetworkPlaces, RefuseMoreRanksThanFit) {
  std::string reason;
  EXPECT_FALSE(PlaceInOrder(Parsed("fat-tree:4x2:1x1"), 17, 2, &reason));
  EXPECT_EQ(reason, "17 ranks, 2 a node, do not fit on 8 nodes");
}

// Faces of a periodic grid, the last coordinate fastest.
Traffic Stencil(int64_t x, int64_t y, int64_t z) {
  Traffic traffic;
  const auto rank = [&](int64_t i, int64_t j, int64_t k) {
    return ((i + x) % x * y + (j + y) % y) * z + (k + z) % z;
  };
  for (int64_t i = 0; i < x; ++i) {
    for (int64_t j = 0; j < y; ++j) {
      for (int64_t k = 0; k < z; ++k) {
        for (const int step : {-1, 1}) {
          const int64_t r = rank(i, j, k);
          traffic.flows.push_back({r, 0, rank(i + step, j, k), 0, 1, 1000});
          traffic.flows.push_back({r, 0, rank(i, j + step, k), 0, 1, 1000});
          traffic.flows.push_back({r, 0, rank(i, j, k + step), 0, 1, 1000});
        }
      }
    }
  }
  return traffic;
}

TEST(NetworkMapping, OfAStencilLoadsTheBusiestLinkLess) {
  for (const char* name : {"fat-tree:16x16:1x4", "dragonfly:8x8x4"}) {
    const Network network = Parsed(name);
    const Traffic traffic = Stencil(16, 16, 16);
    OptimiseOptions options;
    options.ranks_per_node = 16;
    std::string reason;
    const auto standard = PlaceInOrder(network, 4096, 16, &reason);
    const auto before = ComputeLoads(network, *standard, traffic, &reason);
    const auto best = Optimise(network, 4096, traffic, options, &reason);
    ASSERT_TRUE(best.has_value()) << reason;
    EXPECT_LE(best->loads.MaxBytes(), 0.7 * before->MaxBytes())
        << name << " " << best->how;
    // A mapping still: every place once, as many ranks a node.
    std::set<std::pair<int32_t, int32_t>> places;
    for (const Place& p : best->mapping.places()) {
      EXPECT_LT(p.slot, 16);
      EXPECT_LT(p.node, network.nodes());
      places.insert({p.node, p.slot});
    }
    EXPECT_EQ(places.size(), 4096u);
    EXPECT_EQ(Optimise(network, 4096, traffic, options, &reason)->mapping,
              best->mapping);
  }
}

TEST(NetworkMapping, IsNeverWorseThanWhatIsKnown) {
  std::mt19937_64 random(5);
  const Network network = Parsed("dragonfly:4x3x2:2");
  std::string reason;
  const auto standard = PlaceInOrder(network, 47, 2, &reason);
  std::vector<Place> places = standard->places();
  std::reverse(places.begin(), places.end());
  OptimiseOptions options;
  options.ranks_per_node = 2;
  options.known = {{Mapping(places), "reversed"}};
  for (int i = 0; i < 20; ++i) {
    const Traffic traffic = MixedTraffic(47, &random);
    const auto best = Optimise(network, 47, traffic, options, &reason);
    for (const Mapping& known : {*standard, options.known[0].mapping}) {
      EXPECT_LE(best->loads.MaxBytes(),
                ComputeLoads(network, known, traffic, &reason)->MaxBytes());
    }
  }
}

}  // namespace
}  // namespace ranksight::bgq_support
