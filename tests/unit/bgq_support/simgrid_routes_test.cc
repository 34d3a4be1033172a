// Loads of fat trees, dragonflies and tori against those on the same networks
// in SimGrid, whose routes are written by others. Links have other names there,
// so that the loads of all are compared, by size.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "bgq_support/api/network.h"
#include "tests/unit/bgq_support/mixed_traffic.h"

namespace ranksight::bgq_support {
namespace {

namespace sg = simgrid::s4u;

std::vector<unsigned> Unsigned(const std::vector<int64_t>& values) {
  return {values.begin(), values.end()};
}

// The hosts of a network, by their numbers.
std::vector<sg::Host*> MakeHosts(const Network& network,
                                 const std::string& name) {
  std::vector<sg::Host*> hosts;
  const sg::ClusterCallbacks callbacks([&](sg::NetZone* zone,
                                           const std::vector<unsigned long>&,
                                           unsigned long id) {
    sg::Host* host =
        zone->create_host(name + "-" + std::to_string(id), 1e9)->seal();
    if (hosts.size() <= id) hosts.resize(id + 1);
    hosts[id] = host;
    return std::make_pair(
        host->get_netpoint(),
        static_cast<simgrid::kernel::routing::NetPoint*>(nullptr));
  });
  sg::NetZone* root = sg::Engine::get_instance()->get_netzone_root();
  constexpr auto kTwoWays = sg::Link::SharingPolicy::SPLITDUPLEX;
  sg::NetZone* zone = nullptr;
  if (const auto* tree = std::get_if<FatTree>(&network.shape())) {
    const std::vector<unsigned> one(tree->children.size(), 1);
    zone = sg::create_fatTree_zone(
        name, root,
        sg::FatTreeParams(unsigned(tree->children.size()),
                          Unsigned(tree->children), Unsigned(tree->uplinks),
                          one),
        callbacks, 1e9, 1e-6, kTwoWays);
  } else if (const TorusNetwork* torus = network.torus()) {
    // The first dimension runs fastest there, and is taken first.
    std::vector<unsigned long> lengths;
    for (const Dimension& d : torus->machine.torus.dimensions()) {
      lengths.insert(lengths.begin(), static_cast<unsigned long>(d.length));
    }
    zone = sg::create_torus_zone(name, root, lengths, callbacks, 1e9, 1e-6,
                                 kTwoWays);
  } else {
    const auto& d = std::get<Dragonfly>(network.shape());
    zone = sg::create_dragonfly_zone(
        name, root,
        sg::DragonflyParams({unsigned(d.groups), 1}, {1, 1},
                            {unsigned(d.routers), 1}, unsigned(d.nodes)),
        callbacks, 1e9, 1e-6, kTwoWays);
  }
  zone->seal();
  return hosts;
}

TEST(SimGridRoutes, LoadLinksAlike) {
  sg::Engine engine("routes");
  sg::create_full_zone("all");
  std::mt19937_64 random(38);
  int number = 0;
  for (const char* name :
       {"fat-tree:4x3:1x2", "fat-tree:3x4:2x3", "fat-tree:2x3x4:1x2x3",
        "fat-tree:4x2x3:1x3x1", "dragonfly:2x3x2", "dragonfly:5x6x3",
        "dragonfly:4x4x1",
        // Longest first, as SimGrid takes these; no two ways round as long.
        "torus:9", "torus:5x7", "torus:3x5x7"}) {
    std::string reason;
    const Network network = *Network::Parse(name, &reason);
    const auto hosts = MakeHosts(network, "n" + std::to_string(number++));
    ASSERT_EQ(int64_t(hosts.size()), network.nodes());
    const Traffic traffic = MixedTraffic(network.nodes(), &random);
    const auto mapping = PlaceInOrder(network, network.nodes(), 1, &reason);
    const auto loads = ComputeLoads(network, *mapping, traffic, &reason);
    auto ours = loads->load;
    std::map<std::string, uint64_t> by_link;
    ForEveryMessage(traffic, [&](int64_t from, int64_t to, uint64_t bytes) {
      if (from == to) return;
      std::vector<sg::Link*> route;
      double latency = 0;
      hosts[size_t(from)]->route_to(hosts[size_t(to)], route, &latency);
      for (const sg::Link* link : route) by_link[link->get_name()] += bytes;
    });
    std::vector<uint64_t> theirs;
    for (const auto& [link, bytes] : by_link) {
      theirs.push_back(bytes * loads->scale);
    }
    std::erase(ours, 0);
    std::sort(ours.begin(), ours.end());
    std::sort(theirs.begin(), theirs.end());
    EXPECT_EQ(ours, theirs) << name;
  }
}

}  // namespace
}  // namespace ranksight::bgq_support
