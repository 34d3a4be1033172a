#include "cli/look/crowded.h"

#include <set>
#include <utility>

namespace ranksight::cli {

std::string CrowdedText(std::span<const reduction::Trace> runs) {
  std::set<std::pair<int64_t, int64_t>> crowded;  // ranks, cores
  for (const reduction::Trace& run : runs) {
    const reduction::Meta& meta = run.meta;
    if (!meta.own_time && meta.host_cores > 0 &&
        meta.host_ranks > meta.host_cores) {
      crowded.emplace(meta.host_ranks, meta.host_cores);
    }
  }
  if (crowded.empty()) return "";
  std::string list;
  for (const auto& [ranks, cores] : crowded) {
    list += (list.empty() ? "" : ", ") + std::to_string(ranks) + " on " +
            std::to_string(cores);
  }
  return "ranks shared cores (" + list +
         ") and a wall clock was asked for: much of their time is waiting for "
         "a core, so forecasts of time are wide; without RANKSIGHT_CLOCK "
         "computation is processor time; structure does not suffer";
}

}  // namespace ranksight::cli
