#include "bgq_support/network/torus_routes.h"

#include <algorithm>
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
  int stride = 1;
  for (size_t dim = torus_.dimensions().size(); dim-- > 0;) {
    strides_[dim] = stride;
    stride *= torus_.dimensions()[dim].length;
  }
  for (const auto& group : groups_) {
    for (size_t i = 2; i <= group.size(); ++i) ways_ *= static_cast<int64_t>(i);
  }
  if (both_ways_) ways_ <<= torus_.dims();
}

TorusRoutes::Order TorusRoutes::OrderOf(int64_t* way) const {
  Order order{};
  auto begin = order.begin();
  for (const std::vector<int>& group : groups_) {
    auto end = std::copy(group.begin(), group.end(), begin);
    // The next one of those that are left, which stay in their order.
    for (; end - begin > 1; ++begin) {
      const int64_t left = end - begin;
      std::rotate(begin, begin + *way % left, begin + *way % left + 1);
      *way /= left;
    }
    begin = end;
  }
  return order;
}

void TorusRoutes::Add(int64_t from, int64_t to, int64_t way,
                      std::vector<uint32_t>* out) const {
  RANKSIGHT_REQUIRE(from != to);
  RANKSIGHT_REQUIRE(from >= 0 && from < torus_.nodes());
  RANKSIGHT_REQUIRE(to >= 0 && to < torus_.nodes());
  RANKSIGHT_REQUIRE(way >= 0 && way < ways());
  // A walk of many messages comes here for each: nothing is allocated.
  const Order order = OrderOf(&way);
  int node = static_cast<int>(from);
  for (int i = 0; i < torus_.dims(); ++i) {
    const int dim = order[static_cast<size_t>(i)];
    const Dimension& d = torus_.dimensions()[static_cast<size_t>(dim)];
    const int stride = strides_[static_cast<size_t>(dim)];
    int here = node / stride % d.length;
    const int there = static_cast<int>(to) / stride % d.length;
    if (here == there) continue;
    int offset = torus_.Offset(dim, here, there);
    const bool other_way_round = both_ways_ && (way >> dim & 1) != 0;
    // Exactly half-way round there are two shortest ways, and a bit for each
    // dimension chooses.
    if (other_way_round && d.wraps && 2 * offset == d.length) offset = -offset;
    const int step = offset > 0 ? 1 : d.length - 1;
    const int link = dim * 2 + (offset > 0 ? 1 : 0);
    for (int hop = std::abs(offset); hop > 0; --hop) {
      out->push_back(static_cast<uint32_t>(link * torus_.nodes() + node));
      const int next = (here + step) % d.length;
      node += (next - here) * stride;
      here = next;
    }
  }
}

}  // namespace ranksight::bgq_support
