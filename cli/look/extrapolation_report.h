// What an extrapolation found, for people and as JSON.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "cli/base/json.h"
#include "online_model/api/extrapolate.h"
#include "online_model/api/setting.h"

namespace ranksight::cli {

// A readable law for people: datatypes and operations by name.
std::string LawLine(const std::string& law);
// The call sites that are estimated, a line each; "" where none is.
// others_exact: whether all other call sites have laws, which is said then.
std::string EstimatesText(const std::vector<reduction::SiteEstimate>& estimates,
                          bool others_exact = true);
// What a twin says of a call site; nullptr where that is exact.
const reduction::SiteEstimate* EstimateOf(const reduction::Trace& trace,
                                          reduction::Call call, uint32_t site);
// The member `estimates` of an object that the caller has begun.
void WriteEstimates(const std::vector<reduction::SiteEstimate>& estimates,
                    JsonWriter* json);
std::string ReportText(const online_model::ExtrapolationReport& report,
                       bool with_laws);
// What runs at a value of this parameter were made of (online_model/setting.h).
std::string SettingText(const std::string& name,
                        const online_model::RunsAtValue& made);
// The member `setting` of an object that the caller has begun.
void WriteSetting(const std::string& name, int64_t value,
                  const online_model::RunsAtValue& made, JsonWriter* json);
// Members of an object that the caller has begun.
void WriteReport(const online_model::ExtrapolationReport& report,
                 JsonWriter* json);

}  // namespace ranksight::cli
