// Machine: a torus with what its links carry, and which of its places ranks
// may take.
//
// A place is a node and a slot on it (core or hardware thread, the letter T
// of map files). Names that Parse knows:
//
//   8x8x8, 4x4m             any torus, links of the default kind
//   bgp:512                 Blue Gene/P partition of that many nodes, 3D
//   bgp:8x8x16              Blue Gene/P of that shape
//   bgq:512                 Blue Gene/Q partition of that many nodes, 5D
//   bgq:4x4x4x8x2           Blue Gene/Q of that shape: A to D of 1, 2, 4
//                           within a midplane, else multiples of 4; E is 2
//   bgq-block:0x0x2x2x0+2x2x2x1x2  sub-block job: corner + sides inside a
//                           midplane, sides 1, 2 or 4, no wrap
//   tofu-d:4x6x2            Tofu-D, X Y Z of the partition: six dimensions,
//                           X, Y, Z and the 2x3x2 of each unit; a and c,
//                           of two nodes, do not wrap
//
// Behind any of them nodes that take no ranks, by their numbers:
// "8x8x8-17,40-47".
//
// Units: bytes per second and seconds. Thread-safety: value type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bgq_support/api/torus.h"

namespace ranksight::bgq_support {

// One direction of one cable: from `node` to the next one up or down in
// dimension `dim`.
struct Link {
  int dim = 0;
  bool up = true;
  int node = 0;
  bool operator==(const Link&) const = default;
};

struct Machine {
  explicit Machine(Torus t) : torus(std::move(t)) {}

  // What Parse takes, with examples, on one line.
  static std::string Forms();
  // nullopt, *reason set, for anything else than the names above.
  static std::optional<Machine> Parse(std::string_view text,
                                      std::string* reason);

  // Letters of the dimensions, without T: ABCDE for five, XYZ for up to
  // three, XYZABC for six, else A, B, C, ...
  std::string Letters() const;
  bool IsHole(int node) const;
  // That take ranks.
  int64_t free_nodes() const {
    return torus.nodes() - static_cast<int64_t>(holes.size());
  }

  Torus torus;
  std::string kind = "torus";
  // Of one direction of one link, payload. The default is Blue Gene/Q's.
  double bandwidth = 1.8e9;
  double hop_latency_s = 40e-9;
  int slots_per_node = 64;
  // Nodes run 1, 2, 4, ... ranks; other numbers are refused.
  bool powers_of_two = false;
  // Nodes that take no ranks; their routers still forward. Ascending.
  std::vector<int> holes;
};

}  // namespace ranksight::bgq_support
