// The search for a law among expressions, after the named families.
//
// In order: an entry of the pool up to an affine map; a constant over an
// entry, divided exactly; for ranks the way from the own rank, modulo N or
// along one dimension, or the bits that differ; one case apart under a
// condition; sums of balanced blocks, their products, and boundary terms.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

std::optional<ScalarLaw> FindExpression(std::span<const Sample> samples,
                                        const SearchSpace& space);

}  // namespace ranksight::online_model
