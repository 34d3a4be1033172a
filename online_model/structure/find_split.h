// The search for numbers that are put together from laws of fewer variables:
// where the block of a rank begins in a file, or in the rows of a loop.
// Thread-safety: pure functions.
#pragma once

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// The sum of a law of the size and one of how far a rank is from a corner of
// the grid along each of several sides.
ExpressionPtr FindSumOverSides(std::span<const Sample> samples,
                               const SearchSpace& space);

// Over the place of a list: where it begins and by how much it goes on, of
// which each follows a law.
ExpressionPtr FindProgression(std::span<const Sample> samples,
                              const SearchSpace& space);

}  // namespace ranksight::online_model
