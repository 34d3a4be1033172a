// The search for neighbours that change on the way through a loop: a sweep
// comes from one side for some blocks and from the other for the rest.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// The rank so many places on along a side, another for each stretch of places,
// which are as many at all sizes; or for each place of a loop over a few sides,
// of which some ranks skip some. nullptr where there are no stretches, or more
// than some, or they are short.
// REQUIRES: samples of a list or loop whose values are ranks.
ExpressionPtr FindTurns(std::span<const Sample> samples, int ndims);

}  // namespace ranksight::online_model
