#include "cli/study/study_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/base/format.h"
#include "online_model/api/verdict.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

using online_model::Forecast;
using online_model::ForecastPoint;

std::string Seconds(double s) { return Duration(s * 1e9); }

// A line a point, and one for all that is refused for one reason.
std::string PointsText(const Forecast& forecast) {
  std::string lines;
  for (const ForecastPoint& p : forecast.points) {
    if (p.refused) continue;
    lines += fmt::format("  at {}: {} ({} to {})\n", p.ranks,
                         Seconds(p.seconds), Seconds(p.low), Seconds(p.high));
  }
  for (const online_model::Refusal& refusal : Refusals(forecast)) {
    const std::string figures = refusal.Figures(Seconds);
    lines += fmt::format(
        "  at {}: refused, {}{}\n", refusal.Ranks(),
        reduction::ShownName(refusal.reason),
        figures.empty() ? "" : "; " + figures + ", not to be relied on");
  }
  return lines;
}

}  // namespace

std::string RunText(const StudyRun& run, const Forecast& forecast,
                    size_t number, size_t of) {
  return fmt::format("run {} of {}: {} on {} in {}\n", number, of,
                     reduction::ShownName(run.program),
                     Counted(run.ranks, "rank"), Duration(run.seconds * 1e9)) +
         PointsText(forecast);
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
