#include "bgq_support/network/counters.h"

#include <algorithm>
#include <map>

#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {

namespace {

using Counts = std::map<int64_t, uint64_t>;

// Members by the port that messages to them take, where there are `links`.
Counts CountPorts(const NodeCounts& members, int64_t links) {
  RANKSIGHT_REQUIRE(links > 0);
  Counts counts;
  for (const auto& [node, count] : members) counts[node % links] += count;
  return counts;
}

}  // namespace

void TreeCounter::AddExchange(const NodeCounts& members, uint64_t bytes,
                              uint64_t* cells) const {
  uint64_t all = 0;
  for (const auto& [node, count] : members) all += count;
  for (const TreeRoutes::Level& l : routes_.levels()) {
    std::map<int64_t, Counts> everywhere;  // by how many links there are
    for (auto at = members.begin(); at != members.end();) {
      const int32_t subtree = l.element[static_cast<size_t>(at->first)];
      const auto begin = at;
      uint64_t inside = 0;
      for (; at != members.end() &&
             l.element[static_cast<size_t>(at->first)] == subtree;
           ++at) {
        inside += at->second;
      }
      const int64_t links = l.links(subtree);
      if (links == 0) continue;
      const Counts here = CountPorts({begin, at}, links);
      const auto [known, fresh] = everywhere.try_emplace(links);
      if (fresh) known->second = CountPorts(members, links);
      for (const auto& [port, count] : known->second) {
        const auto own = here.find(port);
        const uint64_t others = count - (own == here.end() ? 0 : own->second);
        cells[l.up + l.Number(subtree, port)] += bytes * inside * others;
      }
      for (const auto& [port, count] : here) {
        cells[l.down + l.Number(subtree, port)] +=
            bytes * count * (all - inside);
      }
    }
  }
}

void GraphCounter::AddExchange(const NodeCounts& members, uint64_t bytes,
                               uint64_t* cells) const {
  std::vector<uint32_t> route;
  for (const auto& [from, sent] : members) {
    for (const auto& [to, received] : members) {
      if (from == to) continue;
      route.clear();
      routes_.Add(from, to, 0, &route);
      for (const uint32_t link : route) cells[link] += bytes * sent * received;
    }
  }
}

}  // namespace ranksight::bgq_support
