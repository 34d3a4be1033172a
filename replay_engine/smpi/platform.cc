// A network of bgq_support as a SimGrid platform: a shared library that SimGrid
// loads in place of a platform file (s4u::Engine::load_platform). Hosts n0, n1,
// ... are the nodes; routes are those that link loads are counted on, asked for
// when they are needed: 4,096 nodes have 16 million.
#include <cstdlib>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bgq_support/api/network.h"
#include "reduction/api/codec.h"
#include "replay_engine/api/replay.h"

namespace ranksight::replay_engine {
namespace {

namespace routing = simgrid::kernel::routing;
namespace s4u = simgrid::s4u;
using bgq_support::LinkClass;
using bgq_support::Network;

class NetworkZone : public routing::NetZoneImpl {
 public:
  explicit NetworkZone(Network network)
      : NetZoneImpl("network"), network_(std::move(network)) {
    for (int64_t node = 0; node < network_.nodes(); ++node) {
      // Whatever the speed, replays compute by the clock.
      create_host("n" + std::to_string(node), {1e9})->seal();
    }
    for (const LinkClass& c : network_.classes()) {
      for (size_t i = c.begin; i < c.end; ++i) {
        links_.push_back(Made(
            create_link("l" + std::to_string(i), {c.bandwidth}), c.latency));
      }
    }
    // As torus platforms have it: memory is five times as fast as a link.
    const LinkClass& first = network_.classes().front();
    loopback_ = create_link("loopback", {5 * first.bandwidth});
    loopback_->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE, {});
    loopback_ = Made(loopback_, first.latency);
  }

 private:
  static s4u::Link* Made(s4u::Link* link, double latency) {
    return link->set_latency(latency)->seal();
  }
  void get_local_route(const routing::NetPoint* from,
                       const routing::NetPoint* to, routing::Route* into,
                       double* latency) override {
    const auto a = static_cast<int64_t>(from->id());
    const auto b = static_cast<int64_t>(to->id());
    if (a == b) return Add(loopback_, into, latency);
    route_.clear();
    network_.AddRoute(a, b, network_.WayOf(a, b), &route_);
    for (const uint32_t link : route_) Add(links_[link], into, latency);
  }
  static void Add(const s4u::Link* link, routing::Route* into,
                  double* latency) {
    into->link_list_.push_back(link->get_impl());
    if (latency != nullptr) *latency += link->get_latency();
  }

  const Network network_;
  std::vector<s4u::Link*> links_;  // by number
  s4u::Link* loopback_ = nullptr;
  std::vector<uint32_t> route_;
};

std::string Said(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The command has made the same network before: nothing is wrong with it.
Network NetworkSaid() {
  std::string reason;
  const std::string file = Said(kNetworkFile);
  std::optional<Network> network;
  if (file.empty()) {
    network = Network::Parse(Said(kNetworkName), &reason);
  } else if (const auto bytes = reduction::ReadWholeFile(file); bytes.ok()) {
    network = Network::FromText(
        {reinterpret_cast<const char*>(bytes->data()), bytes->size()},
        Said(kNetworkUplinks), file, &reason);
  } else {
    reason = bytes.status().message();
  }
  if (!network) throw std::invalid_argument(reason);
  std::istringstream speeds(Said(kNetworkSpeeds));
  for (std::string line; std::getline(speeds, line);) {
    if (!network->SetSpeed(line, &reason)) throw std::invalid_argument(reason);
  }
  if (!network->RouteBy(Said(kNetworkRouting), &reason)) {
    throw std::invalid_argument(reason);
  }
  return std::move(*network);
}

}  // namespace
}  // namespace ranksight::replay_engine

// SimGrid owns the zone: the first one is the root.
extern "C" void load_platform(const simgrid::s4u::Engine&) {
  using namespace ranksight::replay_engine;
  (new NetworkZone(NetworkSaid()))->seal();
}
