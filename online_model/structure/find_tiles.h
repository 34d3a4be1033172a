// The search for amounts of tiles: a whole cut along several sides of the grid
// into balanced blocks, so that an amount is a product of blocks. Each whole
// follows from where amounts differ along its side, so that it need not be
// tried out, nor the same for all sides, and ranks may be missing, such as one
// that deals the tiles out. Thread-safety: pure function.
// Complexity: n log n in the samples, times the halos tried.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// scale * (block(whole_0, d0, x0) + halo_0) * (block(whole_1, d1, x1) + halo_1)
// * ..., the scale shared out evenly along further sides, one of them with a
// halo too; nullptr where no side shows blocks that differ. Of several halos
// that fit the one that programs have more often.
ExpressionPtr FindTiles(std::span<const Sample> samples, int ndims);

}  // namespace ranksight::online_model
