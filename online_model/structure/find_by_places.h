// The search for laws of a loop or list that has other laws at other places: by
// turns, or from some place on. Thread-safety: pure function.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// The law of some samples, as that of all is looked for.
using LawSearch = std::function<std::optional<ScalarLaw>(
    std::span<const Sample>, const SearchSpace&)>;

// A law for each of a few turns that places take, as a step of a program goes
// along one side and the next along another; or for each stretch of places, as
// many at all sizes. Nothing where a place has the law of no other.
// REQUIRES: space.array.
std::optional<ScalarLaw> FindByPlaces(std::span<const Sample> samples,
                                      const SearchSpace& space,
                                      const LawSearch& search);

}  // namespace ranksight::online_model
