// The call sites whose share of the run time grows with the rank count, and
// those that have the largest.
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

// What takes most of the time from `from` to `to` ranks, and where that
// changes; exact to the rank count but for changes that undo each other within
// half a doubling. REQUIRES: 1 <= from <= to.
std::vector<DominantSite> FindDominant(const EventTable& table,
                                       const TotalModel& model, int64_t from,
                                       int64_t to);

}  // namespace ranksight::online_model
