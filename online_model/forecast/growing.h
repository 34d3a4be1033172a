// The call sites whose share of the run time grows with the rank count.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/forecast/event_table.h"
#include "online_model/forecast/total.h"

namespace ranksight::online_model {

// Most growing first, at most 10. The model of each is that of the quantity
// (computation or call) that adds most to the growth. REQUIRES: ranks > 0.
std::vector<GrowingSite> FindGrowing(const EventTable& table,
                                     const TotalModel& model, double now,
                                     double then);

}  // namespace ranksight::online_model
