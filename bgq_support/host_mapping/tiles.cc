#include "bgq_support/host_mapping/tiles.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {
namespace {

void AddBoxes(const Lengths& box, int64_t ranks, Lengths* so_far,
              std::vector<Lengths>* found) {
  if (so_far->size() == box.size()) {
    if (ranks == 1) found->push_back(*so_far);
    return;
  }
  const int64_t length = box[so_far->size()];
  for (int64_t side = 1; side <= std::min(length, ranks); ++side) {
    if (length % side != 0 || ranks % side != 0) continue;
    so_far->push_back(side);
    AddBoxes(box, ranks / side, so_far, found);
    so_far->pop_back();
  }
}

}  // namespace

int64_t Tiling::TileOf(int64_t rank) const {
  RANKSIGHT_REQUIRE(rank >= 0);
  int64_t number = 0, step = 1;
  for (size_t i = grid.size(); i-- > 0;) {
    number += rank % grid[i] / tile[i] * step;
    step *= grid[i] / tile[i];
    rank /= grid[i];
  }
  return number;
}

int64_t Tiling::PartOf(int64_t rank) const {
  RANKSIGHT_REQUIRE(rank >= 0);
  const int64_t of_tile = TileOf(rank);
  int64_t number = 0, step = 1;
  for (size_t i = grid.size(); i-- > 0;) {
    number += rank % grid[i] % tile[i] / part[i] * step;
    step *= tile[i] / part[i];
    rank /= grid[i];
  }
  return of_tile * step + number;
}

std::vector<int64_t> Tiling::Order() const {
  const int64_t ranks = std::accumulate(grid.begin(), grid.end(), int64_t{1},
                                        std::multiplies<>());
  std::vector<int64_t> order(static_cast<size_t>(ranks));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::vector<int64_t> part_of;
  for (const int64_t rank : order) part_of.push_back(PartOf(rank));
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return part_of[static_cast<size_t>(a)] < part_of[static_cast<size_t>(b)];
  });
  return order;
}

SampledTiling SampleTiling(const std::vector<SampledMessage>& messages,
                           Tiling tiling) {
  SampledTiling sampled{0, 0, std::move(tiling)};
  for (const SampledMessage& m : messages) {
    const Tiling& t = sampled.tiling;
    if (t.TileOf(m.from) != t.TileOf(m.to)) {
      sampled.between_tiles += m.bytes;
    } else if (t.PartOf(m.from) != t.PartOf(m.to)) {
      sampled.between_parts += m.bytes;
    }
  }
  return sampled;
}

Tiling CutForParts(const Tiling& tiling, int64_t ranks,
                   const std::vector<SampledMessage>& messages) {
  std::optional<SampledTiling> best;
  for (const Lengths& part : BoxesOf(tiling.tile, ranks)) {
    SampledTiling sampled =
        SampleTiling(messages, {tiling.grid, tiling.tile, part});
    if (!best || sampled < *best) best = std::move(sampled);
  }
  return best ? best->tiling : tiling;
}

std::vector<Lengths> BoxesOf(const Lengths& box, int64_t ranks) {
  std::vector<Lengths> found;
  Lengths so_far;
  AddBoxes(box, ranks, &so_far, &found);
  return found;
}

}  // namespace ranksight::bgq_support
