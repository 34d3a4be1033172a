#include "online_model/api/at_setting.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "online_model/api/setting.h"
#include "online_model/forecast/point.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Trace;

// Half the width of the interval, in logarithms.
double Doubt(const ForecastPoint& p) { return std::log(p.high / p.seconds); }

// What the walk says, and how far off the times that it went by may be.
void Take(const ForecastPoint& walked, double doubt, ForecastPoint* point) {
  const double efficiency = point->efficiency * point->seconds;
  *point = walked;
  const double wide = std::hypot(Doubt(walked), doubt);
  point->low = point->seconds * std::exp(-wide);
  point->high = point->seconds * std::exp(wide);
  point->efficiency = efficiency / point->seconds;
  point->refused = !(point->high - point->low <= point->seconds);
  point->reason = point->refused ? kTooWide : "";
}

// A forecast from runs as they would be at the value.
Result<Forecast> ForecastThere(std::span<const Trace> inputs,
                               const SettingRequest& setting,
                               std::span<const int64_t> ranks,
                               const WalkOptions& options) {
  auto there = RunsAtSetting(inputs, setting);
  if (!there.ok()) return there.status();
  Forecaster forecaster;
  for (const Trace& run : there->runs) {
    const auto added = forecaster.AddRun(run);
    if (!added.ok()) return added;
  }
  return JoinedForecast(forecaster, there->runs, ranks, options);
}

}  // namespace

Forecast JoinedForecastAt(const ParameterForecaster& laws,
                          std::span<const Trace> inputs,
                          const SettingRequest& setting,
                          std::span<const int64_t> ranks,
                          const WalkOptions& options) {
  Forecast f = laws.At(double(setting.value), ranks);
  const auto walked = ForecastThere(inputs, setting, ranks, options);
  if (!walked.ok()) {
    for (ForecastPoint& p : f.points) {
      if (p.HasFigure()) p.basis += ": " + walked.status().message();
    }
    return f;
  }
  const std::vector<int64_t> largest{f.measured.back()};
  const ForecastPoint known =
      laws.At(double(setting.value), largest).points.front();
  if (!known.HasFigure()) return f;
  for (size_t i = 0; i < f.points.size(); ++i) {
    const ForecastPoint& p = walked->points[i];
    ForecastPoint& out = f.points[i];
    const bool far = out.refused && out.reason != kTooWide;
    if (p.walked && !far) Take(p, Doubt(known), &out);
  }
  return f;
}

}  // namespace ranksight::online_model
