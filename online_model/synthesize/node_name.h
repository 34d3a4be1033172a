// What messages call a node. Thread-safety: pure function.
#pragma once

#include <string>

#include "reduction/api/trace.h"

namespace ranksight::online_model {

// "MPI_Send at app+0x12"; of a loop the first call in it: "the loop around
// MPI_Send at app+0x12".
std::string NameOf(const reduction::Node& node, const reduction::Sites& sites);

}  // namespace ranksight::online_model
