#include "cli/look/memory_summary.h"

#include <fmt/core.h>

#include <utility>

#include "cli/base/format.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {

using reduction::MemoryLevel;
using reduction::MemoryTimeline;
using reduction::Moments;
using reduction::RunMemory;
using reduction::ShownBytes;

std::string MemorySummary(const RunMemory& memory) {
  if (!memory.IsKnown()) return memory.unknown > 0 ? "unknown" : "";
  std::string out =
      fmt::format("peak {} a rank ({} to {})", ShownBytes(memory.peak.Mean()),
                  ShownBytes(memory.peak.min), ShownBytes(memory.peak.max));
  if (memory.start.count > 0) {
    out += ", " + ShownBytes(memory.start.Mean()) + " after MPI_Init";
  }
  out += fmt::format(", {} at the end, of that files {}, shared {}",
                     ShownBytes(memory.end.Mean()),
                     ShownBytes(memory.files.Mean()),
                     ShownBytes(memory.shared.Mean()));
  out += "; ours, " + ShownBytes(memory.own.Mean()) + ", taken off";
  if (memory.unknown > 0) {
    out += fmt::format("; unknown on {} ranks", memory.unknown);
  }
  return out;
}

std::string MemoryAlong(const MemoryTimeline& along) {
  std::string out;
  for (const MemoryLevel& level : along.periods()) {
    if (!out.empty()) out += ", ";
    out += level.count == 0 ? "-" : ShownBytes(level.MeanBytes());
  }
  if (out.empty()) return out;
  return out + " (periods of " + Duration(double(along.PeriodNs())) + ")";
}

void WriteMemory(const RunMemory& memory, JsonWriter* json) {
  json->Key("memory");
  if (memory == RunMemory()) {
    json->Raw("null");
    return;
  }
  json->BeginObject().Member("unknown_ranks", memory.unknown);
  const std::pair<const char*, const Moments*> parts[] = {
      {"start_bytes", &memory.start},   {"peak_bytes", &memory.peak},
      {"end_bytes", &memory.end},       {"file_bytes", &memory.files},
      {"shared_bytes", &memory.shared}, {"own_bytes", &memory.own}};
  for (const auto& [name, moments] : parts) {
    json->Key(name);
    if (moments->count == 0) {
      json->Raw("null");
      continue;
    }
    json->BeginObject()
        .Member("mean", moments->Mean())
        .Member("min", moments->min)
        .Member("max", moments->max)
        .EndObject();
  }
  json->Member("period_ns", memory.along.PeriodNs()).Key("along").BeginArray();
  constexpr uint64_t kKib = 1024;
  for (const MemoryLevel& level : memory.along.periods()) {
    json->BeginObject()
        .Member("samples", level.count)
        .Member("mean_bytes", level.MeanBytes())
        .Member("min_bytes", level.min_kib * kKib)
        .Member("max_bytes", level.max_kib * kKib)
        .EndObject();
  }
  json->EndArray().EndObject();
}

}  // namespace ranksight::cli
