// Runs drawn programs in this process, on any number of ranks.
// Thread-safety: as World.
#pragma once

#include <cstdint>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"
#include "tests/idioms/grammar.h"

namespace ranksight::idioms {

// What a recording of the program on so many ranks would be. chance: of what
// differs from one run to the next. kInternal where the program is wrong: its
// ranks wait for one another, or messages are left over.
reduction::Result<reduction::Trace> RunProgram(const Program& program,
                                               int ranks, uint64_t chance);

}  // namespace ranksight::idioms
