// What ranks held in memory, in a line or as JSON.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "cli/base/json.h"
#include "reduction/api/memory.h"

namespace ranksight::cli {

// "peak 123 MiB a rank (120 MiB to 130 MiB), ..."; "unknown" where the system
// did not say, empty where nobody asked it.
std::string MemorySummary(const reduction::RunMemory& memory);
// "52.1 MiB, 104 MiB, ... (periods of 16.0 ms)": means of samples, by period,
// "-" where there is none; empty where there are no samples at all.
std::string MemoryAlong(const reduction::MemoryTimeline& along);
// As a member of an object; null where nobody asked.
void WriteMemory(const reduction::RunMemory& memory, JsonWriter* json);

}  // namespace ranksight::cli
