// What a trace is, in a few lines or as JSON.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "cli/base/json.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

std::string SummaryText(const reduction::Trace& trace, uint64_t file_bytes);
// Members of an object that the caller has begun.
void WriteSummary(const reduction::Trace& trace, uint64_t file_bytes,
                  JsonWriter* json);
// What the launcher said of the run, in a line; empty where nothing is known.
std::string LaunchSummary(const reduction::Launch& launch);
// The same as a member of such an object.
void WriteLaunch(const reduction::Launch& launch, JsonWriter* json);

}  // namespace ranksight::cli
