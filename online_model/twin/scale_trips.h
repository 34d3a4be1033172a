// How often loops of a twin run, against those of the ranks that its own are
// like.
// Thread-safety: pure but for the plan.
#pragma once

#include <span>

#include "online_model/twin/plan.h"

namespace ranksight::online_model {

// How often loops run that have no law. Iterations until something converges
// are the same on all ranks.
void ScaleTrips(const TwinTree& tree, std::span<const InputRun> inputs,
                TwinPlan* plan);

}  // namespace ranksight::online_model
