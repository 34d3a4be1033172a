// The search for the owner of a place: where the places of a loop, or of a
// list, are dealt out in blocks along a line of ranks, as rows or panels are,
// the number of the block that a place is in, and who is, comes before or
// comes after its owner.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// The owner plus a constant; or, of values that are 0 and 1, whether the
// coordinate along the line, or the next one round, is that of the owner.
// nullptr where there is none.
ExpressionPtr FindOwner(std::span<const Sample> samples,
                        const SearchSpace& space);

}  // namespace ranksight::online_model
