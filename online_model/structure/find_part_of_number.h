// Parts of a number that the program itself says (SaidParts::AddNumber).
// Thread-safety: pure function but for space.said and space.cuts.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// How much of it each rank along a side has, or where that begins: along the
// one side that none of its other numbers is cut along. With a value where all
// sides agree that it may be, and all ways to cut that its other laws leave.
// Only of what is no list and no rank, where space.certain asks for a sure law.
std::optional<ScalarLaw> FindPartOfNumber(std::span<const Sample> samples,
                                          const SearchSpace& space);

}  // namespace ranksight::online_model
