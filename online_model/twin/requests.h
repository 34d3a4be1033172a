// Which requests the calls of a rank complete and start, where that has no law:
// as many as there are, in the program's own style.
// Thread-safety: pure functions. Complexity: O(events, requests that are open
// at each completion).
#pragma once

#include <cstddef>
#include <vector>

#include "online_model/twin/twin_plan.h"

namespace ranksight::online_model {

// In one iteration of the loop, whose events begin at `begin`: calls for each
// or some requests become one event that stands for all of them, behind what
// makes the requests; calls for all stay where they are.
void PutStyles(const TwinPlan& plan, int loop, size_t begin,
               std::vector<TwinEvent>* events);

// All events of a rank, with such events in full. references: what
// TwinEvent::completes numbers.
std::vector<TwinEvent> ResolveRequests(
    const TwinPlan& plan, const std::vector<TwinEvent>& events,
    std::vector<std::vector<int64_t>>* references);

}  // namespace ranksight::online_model
