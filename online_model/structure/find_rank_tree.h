// Trees over all ranks in programs whose ranks form a grid as well.
//
// Features of trees explain much by chance beside those of a grid, so a grid's
// search has none. What they say alone is looked for apart: by the low bits of
// a rank or by the high ones, for any number of ranks. Thread-safety: pure
// function.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Ranks, and how often something happens: nothing for a line, which has these
// features. Amounts and tags: a line of one feature of the low bits.
// Complexity: O(samples), some hundred times at most.
std::optional<ScalarLaw> FindRankTree(std::span<const Sample> samples,
                                      const SearchSpace& space);

}  // namespace ranksight::online_model
