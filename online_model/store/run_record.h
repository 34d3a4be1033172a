// What the index says of a run, as its trace has it.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <span>

#include "online_model/api/store.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// All but when it is stored, where, and who sent it.
RunRecord RecordOf(const reduction::Trace& trace,
                   std::span<const uint8_t> encoded);

}  // namespace ranksight::online_model
