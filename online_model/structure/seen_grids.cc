#include "online_model/structure/seen_grids.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "online_model/structure/context.h"
#include "online_model/structure/neighbours.h"

namespace ranksight::online_model {
namespace {

using Dims = std::vector<int64_t>;
using Pairs = std::vector<std::pair<int64_t, int64_t>>;

// Who is next to whom.
struct Neighbourhood {
  int ndims = 2;
  bool corners = false;
  unsigned around = 0;  // sides that are rings
};

// The steps to all neighbours: -1, 0 or 1 along each side.
std::vector<Displacement> StepsOf(const Neighbourhood& n) {
  std::vector<Displacement> steps;
  Displacement step{};
  const auto end = step.begin() + n.ndims;
  std::fill(step.begin(), end, -1);
  for (;;) {
    const auto sides = n.ndims - std::count(step.begin(), end, 0);
    if (sides == 1 || (sides > 1 && n.corners)) steps.push_back(step);
    auto d = step.begin();
    while (d != end && ++*d > 1) *d++ = -1;
    if (d == end) return steps;
  }
}

// Sorted.
Pairs PairsOn(const Grid& grid, const Neighbourhood& n) {
  std::set<std::pair<int64_t, int64_t>> pairs;
  const std::vector<Displacement> steps = StepsOf(n);
  for (int64_t r = 0; r < grid.ranks(); ++r) {
    const Context from(grid, r);
    for (const Displacement& step : steps) {
      const auto peer = Displaced(from, step, n.around);
      if (peer && *peer != r) pairs.insert({r, *peer});
    }
  }
  return {pairs.begin(), pairs.end()};
}

// Each in both directions, whichever of the two ranks showed it.
Pairs BothWays(const SeenPeers& run) {
  std::set<std::pair<int64_t, int64_t>> pairs;
  for (const auto& [rank, peer] : run.pairs) {
    if (rank == peer) continue;
    pairs.insert({rank, peer});
    pairs.insert({peer, rank});
  }
  return {pairs.begin(), pairs.end()};
}

std::vector<Dims> GridsOf(int64_t ranks, const Pairs& seen,
                          const Neighbourhood& n, RankOrder order) {
  std::vector<Dims> grids;
  for (const Dims& dims : ShapesOf(ranks, n.ndims)) {
    if (!IsOrdered(dims, order)) continue;
    if (PairsOn(Grid{dims, order}, n) == seen) grids.push_back(dims);
  }
  return grids;
}

std::optional<SeenGrids> GridsInOrder(std::span<const SeenPeers> peers,
                                      const std::vector<Pairs>& seen,
                                      RankOrder order) {
  for (Neighbourhood n; n.ndims <= 3; ++n.ndims) {
    for (unsigned k = 0; k < 2u << n.ndims; ++k) {
      n.corners = (k & 1) != 0;
      n.around = k >> 1;
      SeenGrids grids{order, {}};
      for (size_t i = 0; i < peers.size(); ++i) {
        auto shapes = GridsOf(peers[i].ranks, seen[i], n, order);
        if (shapes.empty()) break;
        grids.shapes[peers[i].ranks] = std::move(shapes);
      }
      if (grids.shapes.size() == peers.size()) return grids;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<SeenGrids> FindSeenGrids(std::span<const SeenPeers> peers) {
  std::vector<Pairs> seen;
  for (const SeenPeers& run : peers) seen.push_back(BothWays(run));
  if (seen.empty()) return std::nullopt;
  using enum RankOrder;
  for (const RankOrder order : {kRows, kBackAndForth, kMorton}) {
    auto grids = GridsInOrder(peers, seen, order);
    if (grids) return grids;
  }
  return std::nullopt;
}

}  // namespace ranksight::online_model
