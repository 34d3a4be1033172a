// The search for laws over the cells of a square multipartition (cells.h).
// Complexity: linear in the wholes tried times the ways to lay out cells.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// probes: some of the samples, of every size. nullptr when there is none.
ExpressionPtr FindCells(std::span<const Sample> samples,
                        const std::vector<Sample>& probes,
                        const SearchSpace& space);

}  // namespace ranksight::online_model
