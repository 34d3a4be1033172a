// What a study says after each run and at its end.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "cli/base/json.h"
#include "cli/study/study.h"
#include "online_model/api/forecast.h"

namespace ranksight::cli {

// "9 ranks in 12.3 ms" and an indented line per target, or for all targets in a
// row of which the same is said.
std::string RunText(const StudyRun& run, const online_model::Forecast& forecast,
                    size_t number, size_t of);
// Members "runs" and "forecast" of an object that the caller has begun.
void WriteStudy(const std::vector<StudyRun>& runs,
                const online_model::Forecast& forecast, JsonWriter* json);
// True when there are points and none could be forecast.
bool AllRefused(const online_model::Forecast& forecast);

}  // namespace ranksight::cli
