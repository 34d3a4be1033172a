// The search for what a rank does in some iterations of a loop alone: every so
// many, from one on, and so often. The rows of its block, its turn to write,
// each second step. Thread-safety: pure function.
#pragma once

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// 1 in those iterations and 0 in all others, of which the first one, how far
// they are apart and how many there are follow a law each.
ExpressionPtr FindWindow(std::span<const Sample> samples,
                         const SearchSpace& space);

}  // namespace ranksight::online_model
