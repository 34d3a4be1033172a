// The searches for what is known already: what other laws say, which neighbours
// there are, whom an event reaches, and what the user gave.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Each gives the law of its kind that gives every sample, or nothing.
// REQUIRES: samples.
// The requests of a list that has a place for each neighbour a rank may have:
// those there are, the latest last, then none. REQUIRES: places.
std::optional<ScalarLaw> FindCountdown(std::span<const Sample> samples,
                                       const SearchSpace& space);
// Whether a rank is, or comes before or after, what a hint gives: programs
// send nothing to themselves, and one of two first.
std::optional<ScalarLaw> FindByHints(std::span<const Sample> samples,
                                     const SearchSpace& space);
// A law of the user's, as it is or times a constant plus a constant.
std::optional<ScalarLaw> FindOwn(std::span<const Sample> samples,
                                 const SearchSpace& space);
// A little more or less than what another law says, or so many times as much:
// a halo around a block of which that has shown the size.
std::optional<ScalarLaw> FindFromSaid(std::span<const Sample> samples,
                                      const SearchSpace& space);

}  // namespace ranksight::online_model
