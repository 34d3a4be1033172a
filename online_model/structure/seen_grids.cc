#include "online_model/structure/seen_grids.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "online_model/structure/grid.h"

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

// All ways to write n as a product of so many, first factors smallest first.
std::vector<Dims> ProductsOf(int64_t n, int factors) {
  if (factors == 1) return {{n}};
  std::vector<Dims> products;
  for (int64_t d = 1; d <= n; ++d) {
    if (n % d != 0) continue;
    for (Dims rest : ProductsOf(n / d, factors - 1)) {
      rest.insert(rest.begin(), d);
      products.push_back(std::move(rest));
    }
  }
  return products;
}

// The steps to all neighbours: -1, 0 or 1 along each side.
std::vector<Dims> StepsOf(const Neighbourhood& n) {
  std::vector<Dims> steps;
  Dims step(size_t(n.ndims), -1);
  for (;;) {
    int64_t sides = 0;
    for (const int64_t by : step) sides += std::abs(by);
    if (sides == 1 || (sides > 1 && n.corners)) steps.push_back(step);
    size_t d = 0;
    while (d < step.size() && ++step[d] > 1) step[d++] = -1;
    if (d == step.size()) return steps;
  }
}

// Sorted.
Pairs PairsOn(const Grid& grid, const Neighbourhood& n) {
  Pairs pairs;
  const std::vector<Dims> steps = StepsOf(n);
  for (int64_t r = 0; r < grid.ranks(); ++r) {
    for (const Dims& step : steps) {
      Coordinates at = grid.At(r);
      bool there = true;
      for (size_t d = 0; d < step.size(); ++d) {
        const int64_t side = grid.dims[d], to = at[d] + step[d];
        there = there && ((n.around >> d & 1) != 0 || (to >= 0 && to < side));
        at[d] = (to + side) % side;
      }
      const int64_t peer = there ? grid.RankOf(at) : r;
      if (peer != r) pairs.push_back({r, peer});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
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

std::optional<Dims> GridOf(int64_t ranks, const Pairs& seen,
                           const Neighbourhood& n) {
  for (const Dims& dims : ProductsOf(ranks, n.ndims)) {
    if (PairsOn(Grid{dims}, n) == seen) return dims;
  }
  return std::nullopt;
}

}  // namespace

std::optional<DimsRule> RuleOfSeenGrids(std::span<const SeenPeers> peers) {
  std::vector<Pairs> seen;
  for (const SeenPeers& run : peers) seen.push_back(BothWays(run));
  if (seen.empty()) return std::nullopt;
  for (Neighbourhood n; n.ndims <= 3; ++n.ndims) {
    for (unsigned k = 0; k < 2u << n.ndims; ++k) {
      n.corners = (k & 1) != 0;
      n.around = k >> 1;
      DimsRule rule{DimsRule::Kind::kGiven, n.ndims, false, 0, {}};
      for (size_t i = 0; i < peers.size(); ++i) {
        auto dims = GridOf(peers[i].ranks, seen[i], n);
        if (!dims) break;
        rule.given[peers[i].ranks] = std::move(*dims);
      }
      if (rule.given.size() == peers.size()) return rule;
    }
  }
  return std::nullopt;
}

}  // namespace ranksight::online_model
