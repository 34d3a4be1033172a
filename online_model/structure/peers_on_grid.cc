#include "online_model/structure/peers_on_grid.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace ranksight::online_model {

std::optional<int> SidesBetween(const Grid& grid, int64_t a, int64_t b,
                                bool are_members) {
  const Coordinates one = grid.At(a), other = grid.At(b);
  int sides = 0;
  for (int d = 0; d < grid.size(); ++d) {
    const int64_t by = other[size_t(d)] - one[size_t(d)];
    const bool is_next =
        are_members
            ? by == 0 || by == 1
            : std::abs(by) <= 1 || std::abs(by) == grid.dims[size_t(d)] - 1;
    if (!is_next) return std::nullopt;
    sides += by != 0;
  }
  return sides;
}

bool AreMembersInOrder(const DimsRule& rule, std::span<const SeenPeers> peers) {
  return std::all_of(peers.begin(), peers.end(), [&](const SeenPeers& run) {
    const Grid grid = *rule.GridFor(run.ranks);
    return !run.members.empty() &&
           std::all_of(run.members.begin(), run.members.end(),
                       [&grid](const auto& pair) {
                         return SidesBetween(grid, pair.first, pair.second,
                                             true) == 1;
                       });
  });
}

unsigned SidesTaken(const DimsRule& rule, std::span<const SeenPeers> peers,
                    bool alone) {
  unsigned sides = 0;
  for (const SeenPeers& run : peers) {
    const Grid grid = *rule.GridFor(run.ranks);
    for (const auto& [rank, peer] : run.pairs) {
      const Coordinates one = grid.At(rank), other = grid.At(peer);
      unsigned apart = 0;
      for (int d = 0; d < grid.size(); ++d) {
        if (one[size_t(d)] != other[size_t(d)]) apart |= 1u << d;
      }
      if (!alone || IsPowerOfTwo(apart)) sides |= apart;
    }
  }
  return sides;
}

bool AreAllNear(const DimsRule& rule, std::span<const SeenPeers> peers) {
  return std::all_of(peers.begin(), peers.end(), [&](const SeenPeers& run) {
    const Grid grid = *rule.GridFor(run.ranks);
    return std::all_of(
        run.pairs.begin(), run.pairs.end(), [&](const auto& pair) {
          return SidesBetween(grid, pair.first, pair.second, run.are_members)
              .has_value();
        });
  });
}

bool AreSidesTakenEverywhere(const DimsRule& rule,
                             std::span<const SeenPeers> peers) {
  return std::all_of(peers.begin(), peers.end(), [&](const SeenPeers& run) {
    const Grid grid = *rule.GridFor(run.ranks);
    // Where lines along a side begin on which some are each other's peers.
    std::vector<std::set<int64_t>> lines(grid.dims.size());
    for (const auto& [rank, peer] : run.pairs) {
      Coordinates one = grid.At(rank), other = grid.At(peer);
      for (size_t d = 0; d < lines.size(); ++d) {
        if (one[d] == other[d]) continue;
        other[d] = one[d];
        if (one != other) break;
        one[d] = 0;
        lines[d].insert(grid.RankOf(one));
      }
    }
    for (size_t d = 0; d < lines.size(); ++d) {
      const int64_t all = run.ranks / grid.dims[d];
      if (grid.dims[d] > 1 && int64_t(lines[d].size()) != all) return false;
    }
    return true;
  });
}

bool AreAllNextPeers(const DimsRule& rule, std::span<const SeenPeers> peers) {
  return std::all_of(peers.begin(), peers.end(), [&](const SeenPeers& run) {
    const Grid grid = *rule.GridFor(run.ranks);
    std::set<std::pair<int64_t, int64_t>> seen;
    for (const auto& [rank, peer] : run.pairs) {
      seen.insert(std::minmax(rank, peer));
    }
    for (int64_t rank = 0; rank < run.ranks; ++rank) {
      Coordinates at = grid.At(rank);
      for (size_t d = 0; d < grid.dims.size(); ++d) {
        if (at[d] + 1 == grid.dims[d]) continue;
        ++at[d];
        const int64_t next = grid.RankOf(at);
        --at[d];
        if (!seen.contains(std::minmax(rank, next))) return false;
      }
    }
    return true;
  });
}

}  // namespace ranksight::online_model
