// Whether what is shared out may come in units that a share cannot cut.
//
// 480 numbers over 2, 4 and 8 ranks are 240, 120 and 60 each; so are 120 points
// of four numbers. 16 ranks would have 30, or seven points or eight. Where all
// messages to a neighbour are 48 numbers long, the 480 may be ten rows. Where
// neighbours along another side get shares of 90, there are no points of four;
// unless those are of something else, which 120 shared out alike would show.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/synthesize/node_law.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// kNo where a parameter's law shares a number out among ranks that divide it,
// and small units of it, or such as messages between neighbours have, are so
// many that all runs divide them, and the target does not; or where a block
// with a halo is in all runs, and not on the target, a part of a block that
// other laws have. base: the tree that the laws are for.
reduction::Status CheckShares(const NodeLaw& root, const reduction::Node& base,
                              std::span<const Grid> runs, const Grid& target);

}  // namespace ranksight::online_model
