#include "bgq_support/network/torus_routes.h"

#include <cstdlib>

#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {

std::vector<LinkClass> ClassesOf(const TorusNetwork& torus) {
  const Machine& machine = torus.machine;
  const auto nodes = static_cast<size_t>(machine.torus.nodes());
  std::vector<LinkClass> classes;
  for (const char letter : machine.Letters()) {
    for (const char* way : {", down", ", up"}) {
      const size_t begin = classes.size() * nodes;
      classes.push_back({letter + std::string(way), begin, begin + nodes,
                         machine.bandwidth, machine.hop_latency_s});
    }
  }
  return classes;
}

TorusRoutes::TorusRoutes(const TorusNetwork& torus)
    : torus_(torus.machine.torus),
      both_ways_(torus.routing.half_way == HalfWay::kBoth),
      groups_(DimensionOrder(torus_, torus.routing)) {
  for (const auto& group : groups_) {
    for (size_t i = 2; i <= group.size(); ++i) ways_ *= static_cast<int64_t>(i);
  }
  if (both_ways_) ways_ <<= torus_.dims();
}

std::vector<int> TorusRoutes::OrderOf(int64_t* way) const {
  std::vector<int> order;
  for (std::vector<int> group : groups_) {
    while (!group.empty()) {
      const auto left = static_cast<int64_t>(group.size());
      const auto next = group.begin() + *way % left;
      *way /= left;
      order.push_back(*next);
      group.erase(next);
    }
  }
  return order;
}

void TorusRoutes::Add(int64_t from, int64_t to, int64_t way,
                      std::vector<uint32_t>* out) const {
  RANKSIGHT_REQUIRE(from != to);
  RANKSIGHT_REQUIRE(way >= 0 && way < ways());
  Coordinates at = torus_.CoordinatesOf(static_cast<int>(from));
  const Coordinates end = torus_.CoordinatesOf(static_cast<int>(to));
  for (const int dim : OrderOf(&way)) {
    const Dimension& d = torus_.dimensions()[static_cast<size_t>(dim)];
    int& here = at[static_cast<size_t>(dim)];
    int offset = torus_.Offset(dim, here, end[static_cast<size_t>(dim)]);
    const bool other_way_round = both_ways_ && (way >> dim & 1) != 0;
    // Exactly half-way round there are two shortest ways, and a bit for each
    // dimension chooses.
    if (other_way_round && d.wraps && 2 * offset == d.length) offset = -offset;
    const int step = offset > 0 ? 1 : d.length - 1;
    const int link = dim * 2 + (offset > 0 ? 1 : 0);
    for (int i = 0; i < std::abs(offset); ++i) {
      out->push_back(
          static_cast<uint32_t>(link * torus_.nodes() + torus_.NodeAt(at)));
      here = (here + step) % d.length;
    }
  }
}

}  // namespace ranksight::bgq_support
