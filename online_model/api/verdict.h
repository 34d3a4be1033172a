// A forecast in one sentence, for whoever reads nothing else: how far the
// program scales, what takes over there, and which run to make next; or what is
// in the way of an answer, and what it takes to remove it.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "online_model/api/forecast.h"

namespace ranksight::online_model {

enum class VerdictKind : uint8_t {
  kScales,           // as far as is known
  kStops,            // from about scales_to ranks on
  kUnclear,          // the intervals of what is known allow both
  kNothingPromised,  // all that was asked for is refused
  kNothingMeasured,
};
// "scales", "stops", "unclear", "nothing promised", "nothing measured".
std::string_view NameOf(VerdictKind kind);

struct ScalingVerdict {
  VerdictKind kind = VerdictKind::kNothingMeasured;
  std::string text;  // one sentence; names in it are shown as names
  // The rank count up to which ranks are used to kGoodEfficiency, compared with
  // the smallest run; 0 where none is known. Of kUnclear: for sure.
  int64_t scales_to = 0;
  // Of kStops: the same at the ends of the 90 % intervals.
  int64_t least_scales_to = 0, most_scales_to = 0;
  bool is_weak = false;  // the work grows with the ranks
  // What takes over from there: a call site, or a factor of efficiency.
  std::string call, site, factor;
  bool in_call = false;  // the call itself, not the computation before it
  std::string cause;     // of kNothingPromised
  int64_t next_run = 0;  // rank count; 0: none
  double next_run_seconds = 0;  // as runs took so far; 0: not known
};
ScalingVerdict Judge(const Forecast& forecast);

// Points that are refused for the same reason.
struct Refusal {
  std::vector<const ForecastPoint*> points;  // of the forecast, as they stand
  std::string reason;
  // "64, 100", or "18 sizes from 64 to 1600".
  std::string Ranks() const;
  // Times and intervals of those that have one, which are not to be relied on;
  // of many the first and the last. seconds: how a time is written.
  std::string Figures(std::string (*seconds)(double)) const;
};
// Each reason once, in the order of their first points.
std::vector<Refusal> Refusals(const Forecast& forecast);

}  // namespace ranksight::online_model
