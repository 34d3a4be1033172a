// Which runs belong together, and what a forecast says at one rank count.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "online_model/api/forecast.h"
#include "online_model/fit/plain_fit.h"
#include "online_model/forecast/join_parts.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Further beyond what was measured nothing is forecast.
inline constexpr double kFurthest = 64;
// Why a point is refused whose interval is; the figures stand beside it.
inline constexpr char kTooWide[] =
    "the 90 % interval is wider than the forecast";

// Runs that differ in it are never mixed.
struct RunKind {
  std::string program, build_id;
  std::map<std::string, std::string> params;
};
RunKind KindOf(const reduction::Meta& meta);
// kNo when it is no measurement, or not of this kind. kind: nullptr for any.
reduction::Status Admit(const reduction::Meta& meta, const RunKind* kind);
reduction::Status Incomplete(const reduction::Meta& meta);

// Why nothing is forecast there; "" when it is near enough.
std::string TooFar(int64_t ranks, int64_t largest);
// Time, interval and shares; refused, with the reason, where the interval is
// too wide.
void SetPoint(const Total& total, ForecastPoint* point);
// Time and interval of a point that is refused for another reason, which stays.
void SetPlainPoint(const PlainFit& fit, ForecastPoint* point);

}  // namespace ranksight::online_model
