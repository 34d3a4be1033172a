// Runs at a value of a setting that nobody ran: `record --param size=256`, the
// same with 512 and 1024, and what a run of size=4096 is.
//
// At each value laws over the rank count are searched (extrapolate.h). Every
// amount in them, such as the whole that ranks share out, follows a law over
// the setting. The largest value is held out first, or those that have no laws
// of their own: all their runs are predicted from those of the others and
// compared event by event. A program that works another way at some value is
// refused.
//
// Times of events are fitted by laws in the rank count and the setting
// (parameter.h). Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "online_model/api/own_laws.h"
#include "online_model/api/stop.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct SymbolicLaws;  // synthesize/law_code.h

struct SettingRequest {
  std::string name;   // of the parameter of the runs
  int64_t value = 0;  // that is wanted, above 0
  OwnLaws own_laws = {};
  GridSides input_dims = {};  // see ExtrapolationRequest
  Stop stop = {};             // see ExtrapolationRequest
  // Told how much of the search at all values is done; see there, too.
  std::function<void(double share)> tell_share = {};
};

struct RunsAtValue {
  // One for each rank count that was run, ascending, without what receives
  // from any source matched.
  std::vector<reduction::Trace> runs;
  std::vector<int64_t> values;    // of the inputs, ascending
  std::vector<int64_t> held_out;  // of these the ones predicted,
  uint64_t held_out_events = 0;   // compared and equal
  // Laws over the rank count at the value asked for, and the runs at another
  // one, in the tree that these are for.
  std::shared_ptr<const SymbolicLaws> laws;
  std::vector<reduction::Trace> like;
};

// Of fewer than three values, or of fewer than three rank counts at one of
// them, kUsage with the runs that are missing; kNo with the reason where laws
// are missing or the held-out value is not predicted.
reduction::Result<RunsAtValue> RunsAtSetting(
    std::span<const reduction::Trace> inputs, const SettingRequest& request);

// The trace at the request's rank count by laws over both; checked against the
// runs when these were made. kNo as Extrapolate; whoever asks may give it the
// runs then, as those may have laws or estimates that they do not share with
// runs at other values.
reduction::Result<Extrapolation> ExtrapolateFrom(
    const RunsAtValue& at, const ExtrapolationRequest& request);

}  // namespace ranksight::online_model
