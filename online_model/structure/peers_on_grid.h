// Whom ranks talk to, on a grid that some rule lays them out on.
// Thread-safety: value types, pure functions. Complexity: O(peers), or
// O(ranks).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "online_model/structure/dims_rule.h"
#include "online_model/structure/grid.h"

namespace ranksight::online_model {

// Of one run: who had whom for a peer of a message, each pair once.
struct SeenPeers {
  int64_t ranks = 0;
  std::vector<std::pair<int64_t, int64_t>> pairs;
  // Where there were no messages: who came behind whom in a communicator.
  bool are_members = false;
  // In some call all ranks have themselves for a peer, or none has any: so do
  // neighbours along a side that is one rank long.
  bool has_own = false;
  // Who came behind whom in a communicator of some ranks, each pair once.
  std::vector<std::pair<int64_t, int64_t>> members = {};
};

// Along how many sides, which are taken for rings, the two are next to one
// another; nothing where they are further apart along any. Members of a
// communicator stand in the order of their places on a side, which is no ring.
std::optional<int> SidesBetween(const Grid& grid, int64_t a, int64_t b,
                                bool are_members);

// Whether members of communicators stand behind one another along a side of the
// grids, each by one, in every run. Not where a run shows none.
bool AreMembersInOrder(const DimsRule& rule, std::span<const SeenPeers> peers);

// The sides of the rule's grids that any peers are apart along, as bits. alone:
// along no other, as the next rank may be the first of the next row.
// REQUIRES: the rule holds at the size of each run.
unsigned SidesTaken(const DimsRule& rule, std::span<const SeenPeers> peers,
                    bool alone = false);

// Whether all peers are next to their ranks, or next to a next one along
// another side. REQUIRES: the rule holds at the size of each run.
bool AreAllNear(const DimsRule& rule, std::span<const SeenPeers> peers);

// Whether ranks talk along each side wherever they are along the others: blocks
// whose first ranks alone talk to other blocks are no grid of them.
// REQUIRES: the rule holds at the size of each run.
bool AreSidesTakenEverywhere(const DimsRule& rule,
                             std::span<const SeenPeers> peers);

// Whether all ranks that are next to one another along a side are peers, but
// for those at its two ends. REQUIRES: the rule holds at the size of each run.
bool AreAllNextPeers(const DimsRule& rule, std::span<const SeenPeers> peers);

}  // namespace ranksight::online_model
