// Tiling: a grid of ranks cut into boxes, one for each host.
// Thread-safety: value type, pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "bgq_support/mapping/sample.h"

namespace ranksight::bgq_support {

struct Tiling {
  Lengths grid;  // its lengths, the last one fastest
  Lengths tile;  // of the boxes; divides grid
  Lengths part;  // of the boxes of a box, for packages; divides tile

  // Numbers of the box of a rank, and of its part among the parts of all.
  int64_t TileOf(int64_t rank) const;
  int64_t PartOf(int64_t rank) const;
  // Ranks box by box and in it part by part.
  std::vector<int64_t> Order() const;
};

// A tiling with the bytes that it cuts, as far as a sample tells: between
// boxes, and within them between parts.
struct SampledTiling {
  double between_tiles = 0, between_parts = 0;
  Tiling tiling;
  bool operator<(const SampledTiling& other) const {
    return std::tie(between_tiles, between_parts) <
           std::tie(other.between_tiles, other.between_parts);
  }
};
SampledTiling SampleTiling(const std::vector<SampledMessage>& messages,
                           Tiling tiling);

// The tiling with its boxes cut into those of `ranks` ranks that cut least; as
// it is where there are none.
Tiling CutForParts(const Tiling& tiling, int64_t ranks,
                   const std::vector<SampledMessage>& messages);

// All boxes of `ranks` ranks that divide this box.
std::vector<Lengths> BoxesOf(const Lengths& box, int64_t ranks);

}  // namespace ranksight::bgq_support
