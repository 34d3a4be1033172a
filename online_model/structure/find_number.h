// The search for the number of a place on some sides of the grid: which row,
// plane or column a rank is in, as programs count them for the colour of a
// communicator or the name of a file, the sides in any order.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// (x_a * d_b + x_b) * d_c + x_c ..., of two sides or more, plus a constant.
// nullptr where there is none.
ExpressionPtr FindNumber(std::span<const Sample> samples, int ndims);

}  // namespace ranksight::online_model
