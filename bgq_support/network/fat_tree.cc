#include <algorithm>
#include <map>

#include "bgq_support/network/counters.h"

namespace ranksight::bgq_support {

void FatTreeCounter::AddExchange(const NodeCounts& members, uint64_t bytes,
                                 uint64_t* cells) const {
  uint64_t all = 0;
  for (const auto& [node, count] : members) all += count;
  for (const FatTreeRoutes::Level& l : routes_.levels()) {
    // Members by the port that messages to them take: everywhere, and in one
    // subtree.
    std::map<int64_t, uint64_t> by_port;
    for (const auto& [node, count] : members) by_port[node % l.links] += count;
    for (auto at = members.begin(); at != members.end();) {
      const int64_t subtree = at->first / l.below;
      std::map<int64_t, uint64_t> here;
      uint64_t inside = 0;
      for (; at != members.end() && at->first / l.below == subtree; ++at) {
        here[at->first % l.links] += at->second;
        inside += at->second;
      }
      const int64_t first = subtree * l.links;
      for (const auto& [port, count] : by_port) {
        const auto own = here.find(port);
        const uint64_t others = count - (own == here.end() ? 0 : own->second);
        cells[l.up + static_cast<size_t>(first + port)] +=
            bytes * inside * others;
      }
      for (const auto& [port, count] : here) {
        cells[l.down + static_cast<size_t>(first + port)] +=
            bytes * count * (all - inside);
      }
    }
  }
}

}  // namespace ranksight::bgq_support
