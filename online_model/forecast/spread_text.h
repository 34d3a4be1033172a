// What is known of how runs of one size scatter, in words: each size may have
// been run once, and then no bar says it.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "online_model/api/forecast.h"

namespace ranksight::online_model {

// "" where every size was run again, or none was run.
std::string SpreadText(const Forecast& forecast);

}  // namespace ranksight::online_model
