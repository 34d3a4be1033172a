// What is halved in each iteration of a loop: amounts of levels, each of which
// has half of what the one before has. Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/context.h"
#include "online_model/structure/expression.h"

namespace ranksight::online_model {

// (whole >> k) + more, from the first place or the last; nullptr where there is
// no such law, or fewer than three halves differ. REQUIRES: places.
ExpressionPtr FindHalves(std::span<const Sample> samples);

}  // namespace ranksight::online_model
