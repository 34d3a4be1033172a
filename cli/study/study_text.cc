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
  if (!point.refused) return fmt::format("  at {}: {}\n", point.ranks, figure);
  return fmt::format(
      "  at {}: refused, {}{}\n", point.ranks,
      reduction::ShownName(point.reason),
      point.HasFigure() ? "; " + figure + ", not to be relied on" : "");
}

}  // namespace

std::string RunText(const StudyRun& run, const Forecast& forecast,
                    size_t number, size_t of) {
  std::string out =
      fmt::format("run {} of {}: {} on {} in {}\n", number, of,
                  reduction::ShownName(run.program), Counted(run.ranks, "rank"),
                  Duration(run.seconds * 1e9));
  for (const ForecastPoint& point : forecast.points) out += PointText(point);
  return out;
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
