#include "cli/study/study_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/base/format.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

using online_model::Forecast;
using online_model::ForecastPoint;

std::string PointText(const ForecastPoint& point) {
  const std::string figure =
      fmt::format("{} ({} to {})", Duration(point.seconds * 1e9),
                  Duration(point.low * 1e9), Duration(point.high * 1e9));
  if (!point.refused) return figure;
  return fmt::format(
      "refused, {}{}", reduction::ShownName(point.reason),
      point.HasFigure() ? "; " + figure + ", not to be relied on" : "");
}

// A line a point; points of which the same is said share one.
std::string PointsText(const std::vector<ForecastPoint>& points) {
  std::string lines;
  for (size_t i = 0; i < points.size();) {
    const std::string text = PointText(points[i]);
    lines += fmt::format("  at {}", points[i].ranks);
    for (++i; i < points.size() && PointText(points[i]) == text; ++i) {
      lines += fmt::format(", {}", points[i].ranks);
    }
    lines += ": " + text + "\n";
  }
  return lines;
}

}  // namespace

std::string RunText(const StudyRun& run, const Forecast& forecast,
                    size_t number, size_t of) {
  return fmt::format("run {} of {}: {} on {} in {}\n", number, of,
                     reduction::ShownName(run.program),
                     Counted(run.ranks, "rank"), Duration(run.seconds * 1e9)) +
         PointsText(forecast.points);
}

void WriteStudy(const std::vector<StudyRun>& runs, const Forecast& forecast,
                JsonWriter* json) {
  json->Key("runs").BeginArray();
  for (const StudyRun& run : runs) {
    json->BeginObject()
        .Member("program", run.program)
        .Member("ranks", run.ranks)
        .Member("seconds", run.seconds)
        .Member("trace", run.trace)
        .Member("log", run.log)
        .EndObject();
  }
  json->EndArray().Key("forecast").Raw(online_model::ToJson(forecast));
}

bool AllRefused(const Forecast& forecast) {
  return !forecast.points.empty() &&
         std::ranges::all_of(forecast.points,
                             [](const auto& point) { return point.refused; });
}

}  // namespace ranksight::cli
