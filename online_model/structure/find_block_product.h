// The search for points of a block with its halo, and for where one is in it:
// scale * (p + h) * (q + k) + c, where p and q are parts of wholes along sides
// of the grid that other laws say: how large a window is, and at which offset a
// neighbour's halo begins. And for a * p + b * q + c, the faces of a block.
// Thread-safety: one search, one thread (SaidParts).
// Complexity: six parts at most along each side times some hundred halos, for
// three sides some ten thousand products; the second sample refuses most.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// nullptr where there is none. Where no part is said along a side that has
// several ranks, space.said is told that it says too little.
ExpressionPtr FindBlockProduct(std::span<const Sample> samples,
                               const SearchSpace& space);

}  // namespace ranksight::online_model
