// Values of the parameter `mode` (reduction/api/modes.def) as this MPI
// encodes them. Thread-safety: pure functions.
#pragma once

#include <cstdint>

namespace ranksight::replay_engine {

enum class ModeKind { kAssertion, kAccess, kWhence, kOrder };

// Bits of kAssertion and kAccess; those unknown are left out.
int ModeBits(ModeKind kind, int64_t bits);
// One of kWhence and kOrder; that of 0 for an unknown number.
int ModeNumber(ModeKind kind, int64_t number);

}  // namespace ranksight::replay_engine
