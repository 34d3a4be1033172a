// What the monitor shows, as lines of text of a given width.
// Thread-safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/base/plot.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

// The answers of a side-car's page: /api/state and /api/forecast of one of
// its groups (null when there is none yet).
struct MonitorData {
  nlohmann::json state, forecast;
  size_t group = 0;  // index in state["groups"]
};

// width and height in characters, width >= 40. A chart (cli/base/plot.h) takes
// what height leaves over, within reason; the lines may be more than height.
// kBadInput where an answer has other parts than expected.
reduction::Result<std::vector<std::string>> MonitorLines(
    const MonitorData& data, size_t width, size_t height, PlotForm form);

// What is said of such an answer.
reduction::Status NotUnderstood();

}  // namespace ranksight::cli
