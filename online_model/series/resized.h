// Times of an event as they would be with another mean and more or fewer
// occurrences: the distribution keeps its shape.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "reduction/api/sketch.h"

namespace ranksight::online_model {

// Every value times `factor`, `count` of them. REQUIRES: factor > 0.
reduction::Moments Resized(const reduction::Moments& from, double factor,
                           uint64_t count);
reduction::Sketch Resized(const reduction::Sketch& from, double factor,
                          uint64_t count);

}  // namespace ranksight::online_model
