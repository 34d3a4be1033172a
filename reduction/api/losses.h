// Names under which Meta::losses counts what a trace lacks, where more than one
// folder knows them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Call sites of a twin of which not everything has a law (Meta::estimates).
inline constexpr const char* kLossByEstimates = "call_sites_estimated";
// The run had not ended when this was written.
inline constexpr const char* kLossAfterLastEpoch = "after_last_epoch";
// Calls that the program's error handler left by a jump or an exception: they
// failed, but what of them was done (a message taken) is not known.
inline constexpr const char* kLossCallsLeft = "calls_left";
// Calls that made or did nothing: no events, and no loss to who reads the
// trace. Files count them with the losses.
inline constexpr const char* kLossFailedCalls = "failed_calls";
// A part whose run had no communicator that all ranks were sure to reach.
inline constexpr const char* kLossWithoutWorld = "sessions_without_world";
// Ranks of which no part was there when parts were merged.
inline constexpr const char* kLossMissingRanks = "ranks_missing";

// How many calls failed and did nothing, in a program that went on.
uint64_t FailedCallsOf(const Meta& meta);
// The losses without those.
std::map<std::string, uint64_t> LossesOf(const Meta& meta);

// The side-car that the run was to be sent to did not store it; the trace lacks
// nothing. why: a line, of which the start is kept.
void MarkNotStored(std::string_view why, Meta* meta);
// Whether that is what a loss of this name says.
bool SaysNotStored(std::string_view loss);
// Why the run that left this trace, and was to be sent, is not stored; nothing
// where it was.
std::optional<std::string> WhyNotStored(const Meta& meta);

// The whole trace could not be written: all that is left of it says why.
void MarkNotWritten(std::string_view why, Meta* meta);
std::optional<std::string> WhyNotWritten(const Meta& meta);

}  // namespace ranksight::reduction
