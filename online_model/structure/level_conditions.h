// Conditions on rank and level of a multigrid (levels.h): which ranks have a
// part in a level, in all sides or along one, and where the number of ranks
// grows from one level to the finer one: who joins along a side, and who gives
// what it has to one that joins.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Of the space's levels where those are known, else of any. Nothing where all
// samples are equal.
std::optional<ScalarLaw> FindLevelCondition(std::span<const Sample> samples,
                                            const SearchSpace& space);

// Ranks at multiples of a distance, counted from `first`, 0 or 1, have a part
// in a level.
struct LevelPart {
  int64_t first = 0;
  bool all_sides = true;  // only ranks that have one along all sides
};

// What the condition says on that, where it is one of these levels.
std::optional<LevelPart> LevelPartOf(const ScalarLaw& condition,
                                     const Levels& levels, int ndims);

// The condition that a rank has a part along all sides.
ScalarLaw HasPartInAll(const Levels& levels, int64_t first, int ndims);

}  // namespace ranksight::online_model
