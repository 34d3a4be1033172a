// The search for what a rank still has of so many blocks that were dealt out in
// turn over a side of the grid, or over all ranks, when the first k are done:
// eliminations of matrices in block-cyclic layout (Dongarra, van de Geijn and
// Walker 1994). Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// scale * (blocks of n dealt to place x of d - those of the first k, or k + 1)
// + add, for k of n places in a list; nothing where the blocks were never seen
// to go to different ranks in turn. As hardly anything else looks like that,
// what is found needs no comparison with other laws. Or scale * number + add of
// the blocks that are not dealt to place 0, one after the other.
ExpressionPtr FindDealt(std::span<const Sample> samples, int ndims);

}  // namespace ranksight::online_model
