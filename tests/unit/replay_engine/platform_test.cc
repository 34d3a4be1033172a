// The networks that simulations run on load links as map says.
#include <gtest/gtest.h>

#include <cstdlib>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "bgq_support/api/network.h"
#include "replay_engine/api/replay.h"

namespace ranksight::replay_engine {
namespace {

namespace sg = simgrid::s4u;

// SimGrid has one engine a process: ctest starts each test in its own.
void ExpectLoadsAlike(const char* name) {
  std::string reason;
  const auto network = bgq_support::Network::Parse(name, &reason);
  ASSERT_TRUE(network) << reason;
  setenv(kNetworkName, name, 1);
  sg::Engine engine("platform");
  engine.load_platform(RANKSIGHT_PLATFORM);
  ASSERT_EQ(int64_t(engine.get_host_count()), network->nodes());

  bgq_support::Exchange all{{}, 1};
  for (int64_t n = 0; n < network->nodes(); ++n) all.members.push_back(n);
  const auto mapping = PlaceInOrder(*network, network->nodes(), 1, &reason);
  const auto loads = ComputeLoads(*network, *mapping, {{}, {all}}, &reason);

  std::vector<uint64_t> load(network->links());
  const auto host = [&](int64_t node) {
    return engine.host_by_name("n" + std::to_string(node));
  };
  for (int64_t from = 0; from < network->nodes(); ++from) {
    for (int64_t to = 0; to < network->nodes(); ++to) {
      std::vector<sg::Link*> route;
      double latency = 0;
      host(from)->route_to(host(to), route, &latency);
      double sum = 0;
      for (const sg::Link* link : route) {
        sum += link->get_latency();
        if (from == to) continue;
        load[std::stoul(link->get_name().substr(1))] += loads->scale;
      }
      EXPECT_DOUBLE_EQ(latency, sum);
      EXPECT_EQ(from == to, route[0]->get_name() == "loopback");
    }
  }
  EXPECT_EQ(load, loads->load) << name;
}

TEST(Platform, OfAFatTreeLoadsLinksAsMapDoes) {
  ExpectLoadsAlike("fat-tree:2x3x4:1x2x3");
}
TEST(Platform, OfADragonflyLoadsLinksAsMapDoes) {
  ExpectLoadsAlike("dragonfly:4x3x2:2");
}
TEST(Platform, OfATorusLoadsLinksAsMapDoes) { ExpectLoadsAlike("torus:3x5x3"); }
TEST(Platform, OfAMeshLoadsLinksAsMapDoes) { ExpectLoadsAlike("torus:4mx3"); }

}  // namespace
}  // namespace ranksight::replay_engine
