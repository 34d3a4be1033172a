// The links that messages take through a machine's network, for walks that
// know who meets whom on the way. All runs and all forecasts are taken to
// have their ranks on the machine's first places, in one order.
//
// Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bgq_support/api/mapping.h"
#include "bgq_support/api/network.h"

namespace ranksight::online_model {

class Links {
 public:
  virtual ~Links() = default;
  // The network, as options name it: "torus:4x4x4", "fat-tree:16x32:1x8".
  virtual std::string name() const = 0;
  // How many ranks have a place.
  virtual int64_t ranks() const = 0;
  // Numbers of links are below.
  virtual size_t count() const = 0;
  // Of what a link takes of a node's first link: a byte, and a message's head.
  struct Slowness {
    double byte = 1, latency = 1;
  };
  virtual Slowness SlownessOf(uint32_t) const { return {}; }
  // Whether all are alike, so that nobody need ask.
  virtual bool even() const { return true; }
  // Adds the links of a message's way, first to last; none within a node.
  // REQUIRES: both are ranks that have a place.
  virtual void AddRoute(int64_t from, int64_t to,
                        std::vector<uint32_t>* out) const = 0;
};

// By the routes that the network's loads are counted on; where a message has
// several ways, the one of Network::WayOf. REQUIRES: places on nodes of the
// network.
std::shared_ptr<const Links> NetworkLinks(const bgq_support::Network& network,
                                          const bgq_support::Mapping& mapping);

// What messages between two ranks meet on average when each of the first
// `ranks` sends to all the others alike.
struct MeanRoute {
  double hops = 0;  // as long as these take of a node's first link
  // Bytes on the most loaded link for each byte that a rank sends, likewise.
  double most_load = 0;
};
// The hops of one message, likewise.
double HopsOf(const Links& links, const std::vector<uint32_t>& route);
// From a sample of at most 64 partners of each rank. O(ranks x hops).
MeanRoute MeanRouteOf(const Links& links, int64_t ranks);

}  // namespace ranksight::online_model
