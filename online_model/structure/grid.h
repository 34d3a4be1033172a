// Grid: ranks laid out row-major on 1 to 4 dimensions, slowest first. A
// column-major layout is the same with its dimensions reversed.
// Thread-safety: value type.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ranksight::online_model {

inline constexpr int kMaxDims = 4;
using Coordinates = std::array<int64_t, kMaxDims>;

struct Grid {
  std::vector<int64_t> dims;

  int64_t ranks() const;
  int size() const { return int(dims.size()); }
  Coordinates At(int64_t rank) const;
  // REQUIRES: every coordinate lies on the grid.
  int64_t RankOf(const Coordinates& at) const;
};

// "4x3x2"
std::string DimsText(const std::vector<int64_t>& dims);

}  // namespace ranksight::online_model
