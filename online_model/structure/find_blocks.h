// Laws made of parts of a whole whose size is not known: balanced blocks
// along one dimension (the remainder included), their products over two, and
// what boundaries add. The whole is tried out, the factors are solved for.
// Complexity: linear in the largest whole tried, times the probes.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// probes: some of the samples, of every size. nullptr when there is none.
ExpressionPtr FindBlocks(std::span<const Sample> samples,
                         const std::vector<Sample>& probes,
                         const SearchSpace& space);

}  // namespace ranksight::online_model
