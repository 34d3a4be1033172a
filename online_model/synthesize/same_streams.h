// Whether two trees over the same sites give every rank the same events.
#pragma once

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Compares call, site and every parameter of every event of every rank.
// Ok with the number of events, or kNo naming rank, position and both events.
reduction::Result<uint64_t> CompareStreams(const reduction::Trace& predicted,
                                           const reduction::Trace& recorded);

}  // namespace ranksight::online_model
