// Traffic for tests of link loads, and every message of some.
#pragma once

#include <random>

#include "bgq_support/api/load.h"

namespace ranksight::bgq_support {

// Flows of all kinds: shifts, gathers, broadcasts, single messages.
inline Traffic MixedTraffic(int64_t ranks, std::mt19937_64* random) {
  Traffic traffic;
  const auto below = [&](int64_t n) {
    return static_cast<int64_t>((*random)() % static_cast<uint64_t>(n));
  };
  for (int i = 0; i < 12; ++i) {
    Flow flow;
    flow.rank = below(ranks);
    flow.peer = below(ranks);
    flow.stride = 1 + below(3);
    flow.peer_stride = below(5) - 2;
    flow.bytes = 1 + static_cast<uint64_t>(below(100000));
    flow.count = 1;
    for (const int64_t more = below(40); flow.count < more; ++flow.count) {
      const int64_t rank = flow.rank + flow.count * flow.stride;
      const int64_t peer = flow.peer + flow.count * flow.peer_stride;
      if (rank >= ranks || peer < 0 || peer >= ranks) break;
    }
    traffic.flows.push_back(flow);
  }
  Exchange exchange{{}, 7 + static_cast<uint64_t>(below(1000))};
  for (int64_t r = 0; r < ranks; ++r) {
    if (below(ranks) < 12) exchange.members.push_back(r);
  }
  traffic.exchanges.push_back(exchange);
  return traffic;
}

// send(from, to, bytes), exchanges pair by pair.
template <class Send>
void ForEveryMessage(const Traffic& traffic, const Send& send) {
  for (const Flow& f : traffic.flows) {
    for (int64_t i = 0; i < f.count; ++i) {
      send(f.rank + i * f.stride, f.peer + i * f.peer_stride, f.bytes);
    }
  }
  for (const Exchange& e : traffic.exchanges) {
    for (const int64_t from : e.members) {
      for (const int64_t to : e.members) {
        if (from != to) send(from, to, e.bytes);
      }
    }
  }
}

}  // namespace ranksight::bgq_support
