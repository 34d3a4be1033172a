// Grid: ranks laid out on 1 to 4 dimensions, slowest first. A layout with
// columns first is the same with its dimensions reversed.
// Thread-safety: value type.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ranksight::online_model {

inline constexpr int kMaxDims = 4;
using Coordinates = std::array<int64_t, kMaxDims>;

// How the places of a grid are numbered.
enum class RankOrder {
  kRows,          // the last coordinate fastest
  kBackAndForth,  // likewise, but down again where the one before it is odd
  kMorton,        // bit by bit, the last coordinate's first
};

struct Grid {
  std::vector<int64_t> dims;
  // kMorton REQUIRES: all dims are powers of two.
  RankOrder order = RankOrder::kRows;

  int64_t ranks() const;
  int size() const { return int(dims.size()); }
  Coordinates At(int64_t rank) const;
  // REQUIRES: every coordinate lies on the grid.
  int64_t RankOf(const Coordinates& at) const;
  bool operator==(const Grid&) const = default;
};

// Which bit of which coordinate a bit of a rank's number is in a Morton order.
struct MortonBit {
  int dim = 0, level = 0;
};
// From the lowest bit on. REQUIRES: powers of two.
std::vector<MortonBit> MortonBits(const std::vector<int64_t>& dims);

// "4x3x2"
std::string DimsText(const std::vector<int64_t>& dims);

}  // namespace ranksight::online_model
