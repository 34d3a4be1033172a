// The messages of collectives by the algorithms that MPI libraries usually
// take (Thakur, Rabenseifner and Gropp, "Optimization of collective
// communication operations in MPICH", 2005), as flows between world ranks.
//
// Complexity: O(members) for trees, O(members x log members) for doubling;
// pairs of unequal blocks O(members^2).
// Thread-safety: one object, one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bgq_support/api/load.h"
#include "cli/look/flow_builder.h"

namespace ranksight::cli {

class CollectiveFlows {
 public:
  // members: world ranks by their place. Both outlive this.
  CollectiveFlows(const std::vector<int64_t>& members,
                  bgq_support::Traffic* traffic);

  enum class Way { kFromRoot, kToRoot };
  // Binomial tree; all bytes along each edge (broadcast, reduce). root: a
  // place, here and below.
  void Tree(int64_t root, uint64_t bytes, Way way);
  // The same tree; an edge carries a block for each member behind it (scatter,
  // gather).
  void TreeOfBlocks(int64_t root, uint64_t block, Way way);
  // Each member's own bytes straight to or from the root.
  void Straight(int64_t root, std::span<const uint64_t> bytes, Way way);
  // Recursive doubling; members beyond a power of two hand theirs over first
  // and get the result back (allreduce).
  void Doubling(uint64_t bytes);
  // Recursive doubling with the members that there are (scans).
  void ScanDoubling(uint64_t bytes);
  // Every member passes on all blocks but that of the next one (allgather).
  void Ring(std::span<const uint64_t> blocks);
  // Everybody's share for each member straight to it (reduce-scatter).
  void Pairwise(std::span<const uint64_t> blocks);

  // Sent so far.
  uint64_t messages() const { return messages_; }

 private:
  int64_t size() const { return static_cast<int64_t>(members_.size()); }
  void Send(int64_t from, int64_t to, uint64_t bytes);
  template <class BytesOf>
  void TreeEdges(int64_t root, Way way, BytesOf bytes_of);

  const std::vector<int64_t>& members_;
  bgq_support::Traffic* traffic_;
  FlowBuilder flows_;
  uint64_t messages_ = 0;
};

}  // namespace ranksight::cli
