// Bytes within the hosts of a cluster and between them for given traffic, and
// placements of ranks under which hosts send less to one another. The network
// is taken to treat all pairs of hosts alike (a full fat tree, one switch).
//
// Counts are exact sums. Complexity: O(messages + hosts) for a placement, an
// exchange O(members log members).
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bgq_support/api/hosts.h"
#include "bgq_support/api/load.h"

namespace ranksight::bgq_support {

struct HostTraffic {
  struct Host {
    int64_t ranks = 0;
    // Bytes between ranks here; to, and from, ranks elsewhere.
    uint64_t within = 0, sent = 0, received = 0;
    bool operator==(const Host&) const = default;
  };
  std::vector<Host> hosts;
  // Bytes that ranks sent; the part that stayed within hosts, and within
  // packages of hosts.
  uint64_t all = 0, within_hosts = 0, within_packages = 0;

  uint64_t between_hosts() const { return all - within_hosts; }
  uint64_t between_packages() const { return within_hosts - within_packages; }
  // The most that a host sends or receives.
  uint64_t Busiest() const;
};

// On which packages ranks sit.
struct PackageRule {
  HostShape shape;
  bool cyclic = false;  // Distribution::cyclic_packages
  // The launcher is told hosts alone: whatever the slots of places, the ranks
  // of a host take them in the order of the ranks.
  bool by_rank = false;
};

// nullopt with *reason when a rank lies outside the mapping or bytes do not
// fit in 64 bits. REQUIRES: places on `hosts` hosts.
std::optional<HostTraffic> ComputeHostTraffic(int hosts, const Mapping& mapping,
                                              const PackageRule& rule,
                                              const Traffic& traffic,
                                              std::string* reason);

// Bytes from host to host, from * hosts + to; the diagonal is within hosts.
// REQUIRES: as ComputeHostTraffic, which accepted them.
std::vector<uint64_t> HostPairs(int hosts, const Mapping& mapping,
                                const Traffic& traffic);

struct HostSearch {
  uint64_t seed = 1;
  // Messages looked at in exact evaluations; twice as many take twice as long.
  int64_t message_budget = 50'000'000;
  std::vector<KnownMapping> known;  // of as many ranks, on these hosts
  // As OptimiseOptions::tell_share.
  std::function<void(double share)> tell_share = {};
};

struct HostPlacement {
  Mapping mapping;
  HostTraffic traffic;
  std::string how;  // "tiles 2x2x2 of 8x8x8", "ranks swapped", ...
};

// Ranks on the places of `given`, or of a mapping that is known, so that the
// busiest host has less to send or receive, then all hosts together, then
// packages; never worse than those under the same rule. Looks at tiles: the
// ranks as a grid whose shape is found from the traffic, cut into boxes of a
// host's ranks each, and those into boxes of a package's; then at swaps of two
// ranks, where the traffic is small enough. Deterministic in the seed. nullopt
// as for ComputeHostTraffic.
std::optional<HostPlacement> PlaceBetter(int hosts, const Mapping& given,
                                         const PackageRule& rule,
                                         const Traffic& traffic,
                                         const HostSearch& search,
                                         std::string* reason);

}  // namespace ranksight::bgq_support
