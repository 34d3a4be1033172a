#include "online_model/synthesize/see_peers.h"

#include <algorithm>
#include <utility>

#include "online_model/synthesize/neighbour_lists.h"
#include "reduction/api/call.h"
#include "reduction/api/communicators.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Param;

constexpr uint64_t kMostOfOne = 64;     // values of a rank's parameter
constexpr size_t kMostOfRun = 100'000;  // pairs

void AddPeers(const Node& node, size_t param, SeenPeers* seen) {
  for (int64_t rank = 0; rank < seen->ranks; ++rank) {
    if (seen->pairs.size() >= kMostOfRun) return;
    if (!node.params[param].Has(rank)) continue;
    for (const int64_t peer : node.params[param].At(rank).Expand(kMostOfOne)) {
      const bool exists = peer >= 0 && peer < seen->ranks && peer != rank;
      if (exists) seen->pairs.emplace_back(rank, peer);
    }
  }
}

// Whether at some place of the parameter all ranks name themselves, or all name
// nobody.
bool NamesOwn(const Node& node, size_t param, int64_t ranks) {
  std::vector<bool> all_self, all_null;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    if (!node.params[param].Has(rank)) return false;
    const std::vector<int64_t> peers =
        node.params[param].At(rank).Expand(kMostOfOne);
    if (rank == 0) {
      all_self.assign(peers.size(), true);
      all_null.assign(peers.size(), true);
    }
    if (peers.size() != all_self.size()) return false;
    for (size_t i = 0; i < peers.size(); ++i) {
      all_self[i] = all_self[i] && peers[i] == rank;
      all_null[i] = all_null[i] && peers[i] == reduction::kPeerNull;
    }
  }
  const auto any = [](const std::vector<bool>& v) {
    return std::find(v.begin(), v.end(), true) != v.end();
  };
  return any(all_self) || any(all_null);
}

// Whom ranks give something in a collective of all, where that is few others
// and not themselves: neighbours once more.
void AddReceivers(const Node& node, size_t param, SeenPeers* seen) {
  constexpr size_t kMostReceivers = 8;
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (int64_t rank = 0; rank < seen->ranks; ++rank) {
    if (seen->pairs.size() + pairs.size() >= kMostOfRun) return;
    if (!node.params[param].Has(rank)) return;
    const auto counts =
        node.params[param].At(rank).Expand(uint64_t(seen->ranks));
    const size_t before = pairs.size();
    for (int64_t to = 0; to < int64_t(counts.size()); ++to) {
      if (counts[size_t(to)] != 0) pairs.emplace_back(rank, to);
    }
    const bool few = int64_t(counts.size()) == seen->ranks &&
                     counts[size_t(rank)] == 0 &&
                     pairs.size() - before <= kMostReceivers;
    if (!few) return;
  }
  seen->pairs.insert(seen->pairs.end(), pairs.begin(), pairs.end());
}

bool GivesEachRank(reduction::Call call) {
  using reduction::Call;
  return call == Call::MPI_Alltoallv_ || call == Call::MPI_Alltoallw_ ||
         call == Call::MPI_Ialltoallv_ || call == Call::MPI_Ialltoallw_;
}

// Who stands next to one another in a communicator of some ranks: rows and
// columns of a grid are, as programs cut them.
void AddMembers(const reduction::Trace& trace, SeenPeers* seen) {
  const auto communicators = reduction::Communicators::Find(trace);
  if (!communicators.ok()) return;
  for (const auto& c : communicators->all()) {
    if (c->is_inter || int64_t(c->members.size()) >= seen->ranks) continue;
    for (size_t i = 1; i < c->members.size(); ++i) {
      if (seen->members.size() >= kMostOfRun) return;
      seen->members.emplace_back(c->members[i - 1], c->members[i]);
    }
  }
}

void SortEachOnce(std::vector<std::pair<int64_t, int64_t>>* pairs) {
  std::sort(pairs->begin(), pairs->end());
  pairs->erase(std::unique(pairs->begin(), pairs->end()), pairs->end());
}

SeenPeers PeersOf(const reduction::Trace& trace) {
  SeenPeers seen;
  seen.ranks = trace.meta.ranks;
  ForEachEvent(trace.root, [&seen](const Node& node) {
    const auto params = reduction::Info(node.call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (NamesNeighbours(params[i])) {
        AddPeers(node, i, &seen);
        seen.has_own = seen.has_own || NamesOwn(node, i, seen.ranks);
      }
      if (params[i] == Param::kCounts && GivesEachRank(node.call)) {
        AddReceivers(node, i, &seen);
      }
    }
  });
  AddMembers(trace, &seen);
  SortEachOnce(&seen.pairs);
  SortEachOnce(&seen.members);
  if (seen.pairs.empty()) {
    seen.are_members = true;
    seen.pairs = seen.members;
  }
  return seen;
}

}  // namespace

std::vector<SeenPeers> SeePeers(std::span<const reduction::Trace> traces) {
  std::vector<SeenPeers> all;
  for (const reduction::Trace& t : traces) all.push_back(PeersOf(t));
  return all;
}

}  // namespace ranksight::online_model
