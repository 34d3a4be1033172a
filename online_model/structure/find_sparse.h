// The search for lists over the ranks in which the neighbours stand out: what a
// program gives a collective that all take part in, to exchange something with
// few of them.
// Thread-safety: pure function.
#pragma once

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// A law for each neighbour along a side, at its place in the list, and one
// value at all other places. Nothing where the lists do not have a place for
// each rank.
ExpressionPtr FindSparse(std::span<const Sample> samples,
                         const SearchSpace& space);

}  // namespace ranksight::online_model
