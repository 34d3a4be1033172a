// Extrapolating structure: from traces at a few sizes, the trace at another.
//
// For every parameter of every event and loop a law is searched that gives
// every value of every rank at every input size. The largest input is held
// out first and predicted from the others; only when that prediction equals
// it event by event are all inputs used for the target. Where no laws do so,
// ExtrapolationRequest::strict says what else will do. What no law explains
// is refused with call site and values, never guessed.
//
// Times of events are those of the largest input until SetForecastTimes
// (joined.h) gives the trace those of the forecast.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "online_model/api/law_searches.h"
#include "online_model/api/own_laws.h"
#include "online_model/api/stop.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Sides of the grids of runs, slowest dimension first, by rank count.
using GridSides = std::map<int64_t, std::vector<int64_t>>;

// What is done of a twin once its laws are found: they are evaluated on each
// rank, what has none is drawn, ranks become one trace, messages are compared.
enum class TwinStep { kEvaluating, kDrawing, kJoining, kComparing };
using TellTwin = std::function<void(TwinStep step, double share)>;

struct ExtrapolationRequest {
  int64_t ranks = 0;
  // The target's grid, slowest dimension first; empty: by the rule found.
  std::vector<int64_t> dims;
  // The inputs' grids that are known, as by an argument of the program; only
  // rules that give these are tried.
  GridSides input_dims = {};
  // The answer is the largest input with the laws attached, from which
  // FromLaws makes a trace at any rank count.
  bool symbolic = false;
  // False: laws that are exact at every input size are taken without the
  // check against the largest. For forecasts of time, which have an interval;
  // never for a trace that is handed on.
  bool hold_out = true;
  // True: laws hold at all inputs, and those of the smaller ones predict the
  // largest. False: where there are none such, the second largest may be held
  // out instead, or the smallest be left out if it is smaller than the target
  // and four are left; the report says so.
  bool strict = false;
  // Of twins (twin.h): another one draws another twin.
  uint64_t seed = 1;
  // Tried besides those known, and looked up where a trace carries them.
  OwnLaws own_laws = {};
  // Laws found here before are not searched again. nullptr: nobody else asks.
  std::shared_ptr<LawSearches> searches = {};
  // Told the shapes that the target may have, the likelier first, where laws
  // hold and the runs do not say which it is: the answer is a refusal then, and
  // EstimateByShape (estimate_by_shape.h) what may be said instead. By one
  // thread. Empty: nobody.
  std::function<void(const std::vector<std::vector<int64_t>>& shapes)>
      tell_shapes = {};
  // Told before the laws of each call are searched how much of this attempt is
  // done, above 0, at most 1: a grid that explains nothing, or a law that
  // others may complete, is another attempt, which begins anew. By one thread.
  // Empty: nobody.
  std::function<void(double share)> tell_share = {};
  // Of twins (twin.h), each anew: told how much of a step is done, above 0, at
  // most 1; or 0, once, where only its beginning is known. By one thread.
  TellTwin tell_twin = {};
  // Asked before each law is searched, by one thread. From its end on nothing
  // more has a law; Extrapolate gives its reason beside the best refusal so
  // far.
  Stop stop = {};
};

struct ExtrapolationReport {
  int64_t held_out_ranks = 0;
  uint64_t held_out_events = 0;  // compared and equal
  // The held-out run alone shows how laws go on along a side of the grid, and
  // those of the others say the same but for that.
  bool by_held_out = false;
  // The held-out run is the second largest: laws of all others predict it,
  // where those of smaller ones do not predict the largest.
  bool by_all_others = false;
  int64_t left_out_ranks = 0;  // of the input that no law explains; 0: none
  std::vector<int64_t> dims;   // of the target
  // Of copies (copies.h): the ranks of the run that was copied.
  int64_t copied_ranks = 0;
  // Where the runs do not tell which of these it is: those, that one first.
  std::vector<std::vector<int64_t>> shapes;
  uint64_t exact = 0, estimated = 0, refused = 0;  // parameters
  std::vector<std::string> laws;  // one readable line per parameter
  // Of twins (twin.h): Meta::estimates.
  std::vector<reduction::SiteEstimate> estimates;
};

struct Extrapolation {
  reduction::Trace trace;
  ExtrapolationReport report;
};

// REQUIRES nothing; checks everything: at least three inputs of different
// rank counts and one program and build (kUsage otherwise), all complete
// (kNo otherwise). kNo with the reason when a law is missing, the held-out
// check fails, or the target size does not fit the shape rule (the message
// then names valid sizes near it).
reduction::Result<Extrapolation> Extrapolate(
    std::span<const reduction::Trace> inputs,
    const ExtrapolationRequest& request);

// Whether a trace carries laws.
bool IsSymbolic(const reduction::Trace& trace);

// The lines of Meta::laws that are for people.
std::span<const std::string> ReadableLaws(const reduction::Trace& trace);

// The trace that the laws in `symbolic` give at the request's rank count.
// Costs what the structure does, whatever the number of ranks. The report's
// held_out_events is 0: the laws were checked when they were found. kNo as
// above, kBadInput when the laws do not belong to the trace.
reduction::Result<Extrapolation> FromLaws(const reduction::Trace& symbolic,
                                          const ExtrapolationRequest& request);

}  // namespace ranksight::online_model
