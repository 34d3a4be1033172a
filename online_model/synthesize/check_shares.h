// Whether what is shared out may come in units that a share cannot cut.
//
// 480 numbers over 2, 4 and 8 ranks are 240, 120 and 60 each; so are 120 points
// of four numbers. 16 ranks would have 30, or seven points or eight.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/synthesize/node_law.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

// kNo where a parameter's law shares a number out among ranks that divide it,
// and small units of it are so many that all runs divide them, and the target
// does not.
reduction::Status CheckShares(const NodeLaw& root, std::span<const Grid> runs,
                              const Grid& target);

}  // namespace ranksight::online_model
