// Routing: which links a message takes on a torus, as Blue Gene/Q's network
// decides it.
//
// A message moves minimally, one dimension after the other. A dimension's
// effective length is its number of nodes when it is a mesh and half of it
// when it is a torus. Zones order the dimensions:
//   2  deterministic: longest effective length first, meshes before tori
//      among equal ones, then in the order of the shape
//   3  the same, but the last dimension (E) at once, before all others
//   0  longest first; dimensions of equal effective length in any order
//   1  in any order
// "Any order" means that all orders are equally likely: loads are expected
// values, exact as multiples of 1 / scale.
//
// Chen et al., "The IBM Blue Gene/Q interconnection network and message
// unit", SC 2011.
// Thread-safety: value types, pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "bgq_support/api/torus.h"

namespace ranksight::bgq_support {

// Both ways round are as short: which one is taken.
enum class HalfWay {
  kBoth,      // each half of the time, by dimension
  kPositive,  // always towards growing coordinates
};

struct Routing {
  int zone = 2;  // 0 to 3
  HalfWay half_way = HalfWay::kBoth;

  // "0" to "3", with "+" behind it for kPositive; nullopt for others.
  static std::optional<Routing> Parse(std::string_view text);
};

// Groups of dimensions: the groups in this order, the dimensions of a group
// in any order.
std::vector<std::vector<int>> DimensionOrder(const Torus& torus,
                                             const Routing& routing);

// For one dimension: the dimensions that lie behind the message when it
// takes its turn (a set of bits), and in how many of `scale` equally likely
// cases.
struct Turn {
  uint32_t done = 0;
  uint64_t weight = 0;
};
struct Turns {
  uint64_t scale = 1;  // the weights of a dimension's sum
  std::vector<std::vector<Turn>> of_dim;
};
Turns TurnsOf(const Torus& torus, const Routing& routing);

}  // namespace ranksight::bgq_support
