// Laws that are cut off: no more than a number, or no less.
//
// A rank takes part in one level more of a multigrid for each zero at the end
// of its number, and no rank in more than there are. The ranks of a level are
// twice as far apart as those of the level before, once there is less than a
// point for each. Thread-safety: pure functions.
#pragma once

#include <span>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// min(most, a law) or max(least, a law), where most and least follow the size
// alone; nullptr where at fewer than two sizes something is cut off, or is not.
// Complexity: as FindSum.
ExpressionPtr FindClamped(std::span<const Sample> samples,
                          const SearchSpace& space);

// The rank a power of two away, up or down, of which the exponent follows the
// place in a loop and may be cut off; nullptr where there is no such law.
// REQUIRES: places.
ExpressionPtr FindPowersAway(std::span<const Sample> samples,
                             const SearchSpace& space);

}  // namespace ranksight::online_model
