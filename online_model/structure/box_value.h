// The value of a law on a whole box (box.h).
// Thread-safety: pure functions. Complexity: as the law is long.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "online_model/structure/box.h"
#include "online_model/structure/neighbours.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// All throw a Cut where the value is no affine function on the box.
Affine ValueOn(const ScalarLaw& law, const Box& box);
// The rank at a displacement, nothing where no rank of the box has one.
std::optional<Affine> DisplacedOn(const Box& box, const Displacement& by,
                                  unsigned periodic);
// The same of a slot of a list.
std::optional<Affine> NeighbourOn(const Box& box, const Neighbours& list,
                                  size_t slot);
// Of each slot that has one, in the order of the list.
std::vector<std::pair<size_t, Affine>> NeighboursOn(const Box& box,
                                                    const Neighbours& list);

}  // namespace ranksight::online_model
