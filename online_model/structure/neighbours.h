// Neighbours: displacements on the grid in the order a program visits them,
// those that leave an open dimension dropped. Dimensions may be periodic
// (bit d of the mask) or open. Around a side of one or two ranks a neighbour
// may be the own rank, or the same as another: programs skip these or do not.
// Ranks that pair off, even ones with the next and odd ones with the one
// before, and then the other way round, have turned lists. Programs that keep
// neighbours in a set list them in ascending order. Of a line of all ranks the
// first or the last few may have no part in it, as one that writes for the
// others. Thread-safety: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "online_model/structure/context.h"

namespace ranksight::online_model {

using Displacement = Coordinates;

// The rank there, or nothing when that leaves an open dimension.
std::optional<int64_t> Displaced(const Context& from, const Displacement& by,
                                 unsigned periodic);
std::string ToString(const Displacement& by, int ndims);

// The orders in which programs list neighbours (dimension by dimension, low
// side first, ...). True when `a` comes before `b` in order number `order`.
inline constexpr int kCommonOrders = 10;
bool ComesBefore(const Displacement& a, const Displacement& b, int order);

struct Neighbours {
  std::vector<Displacement> slots;
  unsigned periodic = 0;
  int ndims = 1;
  // Whether a rank at an odd place of a side goes the other way along it.
  bool turned = false;
  // Whether the own rank is skipped, and a rank that an earlier slot gave.
  bool skips_own = false, skips_known = false;
  // Whether ranks are listed in ascending order, not in that of the slots.
  bool ascending = false;
  // So many ranks of a line, the first and the last ones, have no neighbours
  // and are none; odd places are counted from the others' first. 0 on grids of
  // several sides.
  int64_t left_out_first = 0, left_out_last = 0;

  bool operator==(const Neighbours&) const = default;
  // As the rank goes, by the slot.
  Displacement By(const Context& at, size_t slot) const;
  // Nothing where that leaves an open dimension or is skipped.
  std::optional<int64_t> Rank(const Context& at, size_t slot) const;
  bool skips() const { return skips_own || skips_known; }
  bool leaves_out() const { return left_out_first > 0 || left_out_last > 0; }
  // How many ranks of a line have a part in it. REQUIRES: leaves_out().
  int64_t PartOf(int64_t ranks) const {
    return ranks - left_out_first - left_out_last;
  }
  // Whether the other one turns, orders, skips and leaves out ranks just so.
  bool IsReadLike(const Neighbours& other) const {
    return turned == other.turned && skips_own == other.skips_own &&
           skips_known == other.skips_known && ascending == other.ascending &&
           left_out_first == other.left_out_first &&
           left_out_last == other.left_out_last;
  }
  // Whether some slot is at another place along that side.
  bool MovesAlong(size_t side) const;
  // The same on all ranks of a grid with these sides; of the part that has
  // neighbours, where some are left out.
  bool Skips(const std::vector<int64_t>& dims, size_t slot) const;

  // Slots whose neighbour exists and is not skipped, in the order of the list.
  std::vector<int> Kept(const Context& at) const;
  // The neighbours in those.
  std::vector<int64_t> Ranks(const Context& at) const;
  int64_t Degree(const Context& at) const;
  std::string ToString() const;
};

}  // namespace ranksight::online_model
