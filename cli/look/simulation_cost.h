// What simulating a trace takes of this machine, in words and as JSON.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "replay_engine/api/meter.h"

namespace ranksight::cli {

// The answer of `simulate --estimate`. Without a stop it is what the whole
// simulation took, else an estimate, and says from what. most_memory: that it
// could ever take (simulation_needs.h).
std::string CostText(const replay_engine::ReplayMeter& meter, int64_t ranks,
                     double most_memory);
// The same as one JSON document.
std::string CostJson(const replay_engine::ReplayMeter& meter, int64_t ranks,
                     double most_memory);

// Why there is no result.
// REQUIRES: meter.stop is kLimit or kEstimateBeyond.
std::string BeyondLimitText(const replay_engine::ReplayMeter& meter);

}  // namespace ranksight::cli
