// Context: where a law is evaluated. One rank of one grid, and for arrays
// the position in the array and its length.
// Thread-safety: value types. REQUIRES: the grid outlives the context.
#pragma once

#include <cstdint>
#include <optional>

#include "online_model/structure/grid.h"

namespace ranksight::online_model {

// In place of a dimension of the grid: the places of a list.
inline constexpr int kPlaceDimension = -1;

struct Context {
  const Grid* grid = nullptr;
  int64_t rank = 0;
  Coordinates at{};
  int64_t position = 0;
  int64_t length = 0;

  Context() = default;
  Context(const Grid& g, int64_t r) : grid(&g), rank(r), at(g.At(r)) {}
  int64_t ranks() const { return grid->ranks(); }
  int64_t dim(int d) const { return grid->dims[size_t(d)]; }
  // d: a dimension of the grid or kPlaceDimension.
  int64_t Length(int d) const { return d == kPlaceDimension ? length : dim(d); }
  int64_t Place(int d) const {
    return d == kPlaceDimension ? position : at[size_t(d)];
  }
  // The context of the rank that the place of a list stands for, where the list
  // has as many places for `each` rank, or for each but the own one. Of several
  // it is the place among those.
  std::optional<Context> There(int64_t each = 1) const {
    if (length % each != 0) return std::nullopt;
    const int64_t missing = ranks() - length / each;
    if (position < 0 || position >= length || missing < 0 || missing > 1) {
      return std::nullopt;
    }
    const int64_t of = position / each;
    Context there(*grid, of + (missing == 1 && of >= rank));
    if (each > 1) there.position = position % each, there.length = each;
    return there;
  }
};

// One value that a law must give.
struct Sample {
  Context where;
  int64_t value = 0;
};

}  // namespace ranksight::online_model
