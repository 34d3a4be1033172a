// Neighbours: displacements on the grid in the order a program visits them,
// those that leave an open dimension dropped. Dimensions may be periodic
// (bit d of the mask) or open.
// Thread-safety: value types.
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

  // Slots whose neighbour exists, ascending.
  std::vector<int> Kept(const Context& at) const;
  int64_t Degree(const Context& at) const;
  std::string ToString() const;
};

}  // namespace ranksight::online_model
