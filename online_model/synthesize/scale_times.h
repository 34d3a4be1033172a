// Times of an extrapolated trace: the sketches of the largest input, moved
// to the mean that the fitted models give at the target.
#pragma once

#include <span>

#include "reduction/api/trace.h"

namespace ranksight::online_model {

// target: instantiated from base's tree (aligned with it), meta.ranks set.
// Also sets target->meta.elapsed when the models can tell it.
void ScaleTimes(std::span<const reduction::Trace> inputs,
                const reduction::Trace& base, reduction::Trace* target);

}  // namespace ranksight::online_model
