// What the monitor shows, as lines of text of a given width.
// Thread-safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ranksight::cli {

// The answers of a side-car's page: /api/state and /api/forecast of one of
// its groups (null when there is none yet).
struct MonitorData {
  nlohmann::json state, forecast;
  size_t group = 0;  // index in state["groups"]
};

// width and height in characters, width >= 40. The chart takes what height
// leaves over, within reason; the lines may be more than height.
std::vector<std::string> MonitorLines(const MonitorData& data, size_t width,
                                      size_t height);

// Run time over ranks, both logarithmic: O measured, * forecast, : interval,
// o expected of a run under way.
std::vector<std::string> CurveLines(const nlohmann::json& forecast,
                                    size_t width, size_t height);

}  // namespace ranksight::cli
