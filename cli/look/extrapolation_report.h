// What an extrapolation found, for people and as JSON.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "cli/base/json.h"
#include "online_model/api/extrapolate.h"

namespace ranksight::cli {

// A readable law for people: datatypes and operations by name.
std::string LawLine(const std::string& law);
std::string ReportText(const online_model::ExtrapolationReport& report,
                       bool with_laws);
// Members of an object that the caller has begun.
void WriteReport(const online_model::ExtrapolationReport& report,
                 JsonWriter* json);

}  // namespace ranksight::cli
