// The searches for laws of which some ranks have one and the others another:
// the root, an end of a chain, the border of the grid. Thread-safety: pure
// functions.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/find_by_places.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Each gives every sample, or there is nothing. search: for the laws of some of
// the samples. REQUIRES: samples.
// Rank 0 deals out and gathers, always alike, and the others follow a law; or
// it alone has something that follows one.
std::optional<ScalarLaw> FindBesideRoot(std::span<const Sample> samples,
                                        const SearchSpace& space,
                                        const LawSearch& search);
// Of a chain the first or the last follows a law of the size, and all others
// another one. end: kZeroRank or kEndRank.
std::optional<ScalarLaw> FindBesideEnd(std::span<const Sample> samples,
                                       const SearchSpace& space,
                                       Feature::Kind end,
                                       const LawSearch& search);
// Nothing within the grid, and a law at its border; or the other way round.
std::optional<ScalarLaw> FindAtBorder(std::span<const Sample> samples,
                                      const SearchSpace& space,
                                      const LawSearch& search);

}  // namespace ranksight::online_model
