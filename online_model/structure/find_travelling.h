// The search for amounts of blocks that travel around a ring: at place k of
// the loop a rank has the block of the rank k (and some) before or behind it,
// along a side of the grid or along all ranks, as in ring exchanges and
// reductions (Patarasu and Yuan 2009). Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// scale * block(whole, d, (x + c - k) mod d) + add, or with + k; nothing where
// too few inputs have blocks that differ, or where no whole gives all samples.
// As hardly anything else looks like that, what is found needs no comparison
// with other laws.
ExpressionPtr FindTravelling(std::span<const Sample> samples, int ndims);

}  // namespace ranksight::online_model
