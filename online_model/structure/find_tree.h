// Trees of any fixed arity, and what else is cut into parts of fixed length:
// how many children a rank has, or whether it has one, is a line of the rank
// and the number of ranks between two bounds; its parent the whole part of a
// line.
// Thread-safety: pure functions.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// `a*r + b < N`, or N - a*r - b between two bounds, along the ranks or a side
// of the grid. nullptr where none gives all samples, or they leave a or b open.
// Time: arities tried (64) times samples.
ExpressionPtr FindChildCount(std::span<const Sample> samples, int ndims);

// `(r + b)/a`; nullptr where none gives all samples.
// Time: up to arities tried (64), squared, times samples.
ExpressionPtr FindParent(std::span<const Sample> samples);

}  // namespace ranksight::online_model
