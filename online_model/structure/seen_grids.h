// The grids that ranks show by whom they talk to, whatever rule laid them out.
// Thread-safety: pure function.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/candidate_rules.h"

namespace ranksight::online_model {

// For each run the grid of two or three sides, its ranks row by row or where
// there is none such in another order, on which all ranks talk to all that are
// next to them and to nobody else: along one side, or corner-wise, too; around
// the same sides in all runs. Of several grids the one whose first sides are
// shorter. Nothing where any run has none. Complexity: ways to write N as a
// product of three, times N.
std::optional<DimsRule> RuleOfSeenGrids(std::span<const SeenPeers> peers);

}  // namespace ranksight::online_model
