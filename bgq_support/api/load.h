// Link loads: how many bytes every link of a machine carries for given
// traffic, mapping and routing.
//
// Traffic is held compressed, as traces hold it, and expanded nowhere: a
// Flow is a set of ranks in arithmetic progression with peers in arithmetic
// progression, an Exchange is everybody of a set to everybody. A message
// costs O(dimensions x cases of the routing) however far it goes: it adds to
// the ends of the stretch it travels, and one pass over the nodes sums up
// (difference arrays). An exchange costs O(nodes x longest dimension).
//
// Loads are exact: whole multiples of 1 / scale bytes (several routes may be
// equally likely, see routing.h).
//
// Thread-safety: values; ComputeLoads may be called from one thread at a
// time and uses all cores itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bgq_support/api/machine.h"
#include "bgq_support/api/mapping.h"
#include "bgq_support/api/routing.h"

namespace ranksight::bgq_support {

class Network;

// For i in [0, count): rank + i * stride sends `bytes`, all its messages
// together, to peer + i * peer_stride.
struct Flow {
  int64_t rank = 0, stride = 0;
  int64_t peer = 0, peer_stride = 0;
  int64_t count = 1;
  uint64_t bytes = 0;
  bool operator==(const Flow&) const = default;
};

// Every member sends `bytes` to every other one.
struct Exchange {
  std::vector<int64_t> members;
  uint64_t bytes = 0;
};

struct Traffic {
  std::vector<Flow> flows;
  std::vector<Exchange> exchanges;
};

struct LinkLoads {
  uint64_t scale = 1;
  // In bytes x scale; index (dim * 2 + up) * nodes + node, up 1 for the link
  // towards growing coordinates. Links that do not exist carry 0.
  std::vector<uint64_t> load;
  // Bytes that ranks sent, and the part that stayed within nodes.
  uint64_t sent_bytes = 0, local_bytes = 0;

  uint64_t At(const Torus& torus, const Link& link) const;
  // Bytes; the most any link carries.
  double MaxBytes() const;
  // Bytes times links travelled.
  double HopBytes() const;
  // Seconds that the slowest link needs for its load.
  double MaxSeconds(const Machine& machine) const;
  double MaxSeconds(const Network& network) const;
};

enum class Engine {
  kAuto,     // Kokkos where it is parallel, else threads
  kThreads,  // threads of the C++ library
  kKokkos,   // Kokkos' default execution space
};
// False when this build has no Kokkos.
bool HasKokkos();

// nullopt with *reason when a rank lies outside the mapping, loads do not
// fit in 64 bits, or the engine is not there.
std::optional<LinkLoads> ComputeLoads(const Machine& machine,
                                      const Mapping& mapping,
                                      const Routing& routing,
                                      const Traffic& traffic, Engine engine,
                                      std::string* reason);

}  // namespace ranksight::bgq_support
