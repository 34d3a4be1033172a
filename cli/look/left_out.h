// What the traffic of a trace leaves out, as reports say it.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "cli/base/json.h"
#include "cli/look/flows.h"

namespace ranksight::cli {

// A paragraph behind others, empty where nothing was left out.
std::string LeftOutText(const TraceTraffic& traffic);

// The member "left_out", {CALL: TIMES, ...}.
void WriteLeftOut(const TraceTraffic& traffic, JsonWriter* json);

}  // namespace ranksight::cli
