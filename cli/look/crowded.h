// Runs whose ranks shared cores: much of their time is waiting for a core,
// which belongs to the machine and not to the program.
// Thread-safety: pure function.
#pragma once

#include <span>
#include <string>

#include "reduction/api/trace.h"

namespace ranksight::cli {

// "ranks shared cores (9 on 2, 16 on 2): ..."; empty where none did or it is
// not known.
std::string CrowdedText(std::span<const reduction::Trace> runs);

}  // namespace ranksight::cli
