// The search for how often something is done where so many tasks are dealt out
// to the ranks, to all but one of them, or along a side: rounds of one task
// each, rounded down or up, or as many as each gets in turn. Also where
// only rank 0 deals, and the others do something else equally often, or where
// the first or last iteration is another multiple than the others.
//
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// certain: see SearchSpace. nullptr when there is none.
ExpressionPtr FindTaskCount(std::span<const Sample> samples, int ndims,
                            bool certain);

}  // namespace ranksight::online_model
