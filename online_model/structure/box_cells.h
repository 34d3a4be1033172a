// Cells of a multipartition (cells.h) on a box of ranks.
// Thread-safety: pure functions.
#pragma once

#include "online_model/structure/box.h"
#include "online_model/structure/cells.h"

namespace ranksight::online_model {

// Throws a Cut (box.h) where the size is not affine on the box. A sum over
// all cells of a rank is one of overlaps of intervals, in closed form, so its
// parts are as many as the sides of the grid are long, not as there are ranks.
// REQUIRES: a square grid of two dimensions.
Affine CellsOn(const Cells& cells, const Box& box);

}  // namespace ranksight::online_model
