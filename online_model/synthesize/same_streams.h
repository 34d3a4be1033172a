// Whether two trees over the same sites give every rank the same events.
#pragma once

#include <string_view>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// How a text of a difference names its two sides: "is", "predicted".
struct Sides {
  std::string_view one, other;
};

// Compares call, site and every parameter of every event of every rank. Ok with
// the number of events, or kNo: "rank 3, event 9 is "...", predicted "..."",
// `recorded` first.
reduction::Result<uint64_t> CompareStreams(const reduction::Trace& predicted,
                                           const reduction::Trace& recorded,
                                           Sides sides = {"is", "predicted"});

}  // namespace ranksight::online_model
