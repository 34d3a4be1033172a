// Forecasts over the rank count and one setting of the program, joined along
// the trace of such a run, as those over the rank count alone (joined.h).
//
// Where there is no such trace (setting.h), laws over both add up
// (parameter.h). Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <span>

#include "online_model/api/joined.h"
#include "online_model/api/parameter.h"
#include "online_model/api/setting.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// laws: of these inputs. The interval is made of the walk's and of how far off
// times at the value may be on the largest rank count that was run.
// REQUIRES: setting names the parameter of `laws`.
Forecast JoinedForecastAt(const ParameterForecaster& laws,
                          std::span<const reduction::Trace> inputs,
                          const SettingRequest& setting,
                          std::span<const int64_t> ranks,
                          const WalkOptions& options = {});

}  // namespace ranksight::online_model
