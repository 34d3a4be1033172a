// Whether samples say enough for a law. Every law that is looked for gives
// some samples by chance: few small numbers, one for each run, are given by
// many. The principle is that of the minimum description length (Rissanen
// 1978): a law is one where it is shorter to say than what it gives.
//
// Thread-safety: pure functions.
#pragma once

#include <span>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Whether the samples say enough for the law, which gives them. What all
// samples of a run have in common counts once.
// Complexity: O(samples), less where the first ones say enough.
bool SaysEnough(std::span<const Sample> samples, const ScalarLaw& law);

// Whether all samples of a run have one value.
bool DependOnSizeOnly(std::span<const Sample> samples);

}  // namespace ranksight::online_model
