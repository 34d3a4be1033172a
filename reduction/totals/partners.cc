#include "reduction/api/partners.h"

#include <algorithm>
#include <set>

#include "reduction/api/comm_sizes.h"
#include "reduction/api/message_kind.h"
#include "reduction/api/rank_table.h"

namespace ranksight::reduction {
namespace {

using Site = std::pair<Call, uint32_t>;

// What one rank has at a site, from all nodes of the tree that stand there.
struct Partners {
  std::set<int64_t> named;
  uint64_t members = 0;  // others in the largest communicator
};

void AddNamed(const Node& node, int64_t rank, Partners* partners) {
  const Parameter* peers = FindParameter(node, Param::kPeer);
  if (peers == nullptr) return;
  for (const auto& [peer, times] : Histogram(peers->At(rank))) {
    if (!IsSpecial(peer)) partners->named.insert(peer);
  }
}

void AddMembers(const Node& node, int64_t rank, const CommSizes& sizes,
                Partners* partners) {
  const Parameter* comms = FindParameter(node, Param::kComm);
  if (comms == nullptr) return;
  for (const auto& [comm, times] : Histogram(comms->At(rank))) {
    const int64_t size = sizes.Of(comm);
    if (size < 1) continue;
    partners->members = std::max(partners->members, uint64_t(size - 1));
  }
}

}  // namespace

std::map<Site, uint64_t> PairsBySite(const Trace& trace) {
  std::map<Site, uint64_t> pairs;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    const CommSizes sizes = CommSizes::Find(trace, rank);
    std::map<Site, Partners> of_rank;
    ForEachEvent(trace.root, [&](const Node& node) {
      const bool speaks = MessageKindOf(node.call) != MessageKind::kNone;
      if (!speaks && !Info(node.call).collective) return;
      // A rank that never comes there has nobody to speak to.
      if (node.trips.At(rank).Sum() == 0) return;
      Partners* partners = &of_rank[{node.call, node.site}];
      if (speaks) AddNamed(node, rank, partners);
      if (!speaks) AddMembers(node, rank, sizes, partners);
    });
    for (const auto& [site, partners] : of_rank) {
      const uint64_t number = partners.named.size() + partners.members;
      if (number > 0) pairs[site] += number;
    }
  }
  return pairs;
}

}  // namespace ranksight::reduction
