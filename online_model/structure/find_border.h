// The search for who is at the border of a grid: ranks that have a boundary
// condition to apply, an absorbing layer or an inflow, form a communicator of
// their own, or call what the others do not.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Whether a rank is at one of several ends of sides of the grid, or at none of
// them. As few ends as give all samples; nullptr where several choices of so
// many do, or fewer than two sizes show ranks of both kinds.
// REQUIRES: samples.
ExpressionPtr FindBorder(std::span<const Sample> samples, int ndims);

// How many ranks are at such ends, of those there; 0 of those that are not, as
// the sizes of a communicator that these form. nullptr for other values.
// REQUIRES: samples.
ExpressionPtr FindBorderSize(std::span<const Sample> samples, int ndims);

}  // namespace ranksight::online_model
