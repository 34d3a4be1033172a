// Puts the calls of a drawn exchange in the place of those that a rank has.
// Thread-safety: pure function. Complexity: O(events of the iteration, edges of
// the rank).
#pragma once

#include <vector>

#include "online_model/twin/twin_plan.h"

namespace ranksight::online_model {

// events: of one iteration, of `iterations`, of the loop of exchange `which`.
std::vector<TwinEvent> ReplaceExchange(const TwinPlan& plan, int16_t which,
                                       int64_t rank,
                                       const std::vector<TwinEvent>& events,
                                       uint64_t iteration, uint64_t iterations);

}  // namespace ranksight::online_model
