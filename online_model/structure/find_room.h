// The search for what a receive has room for: a program that has one buffer for
// messages in all directions asks for the longest of them, wherever it comes
// from, and shorter ones arrive. scale * max(faces) + add, where a face is what
// a rank has along all sides but one, or what the rank that has most has.
// Thread-safety: one search, one thread (SaidParts).
// Complexity: choices of a part that is said along each side, some hundred for
// three sides, times samples; the second sample refuses most.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// With a value where all agree that give the samples: of faces that are longest
// in no run nothing says whether they count. nullptr where there is none. Where
// no part is said along a side that has several ranks, space.said is told that
// it says too little.
ExpressionPtr FindRoom(std::span<const Sample> samples,
                       const SearchSpace& space);

}  // namespace ranksight::online_model
