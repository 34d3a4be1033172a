// The grids that ranks show by whom they talk to, whatever rule laid them out.
// Thread-safety: pure function.
#pragma once

#include <optional>
#include <span>

#include "online_model/structure/candidate_rules.h"

namespace ranksight::online_model {

// The shapes that each run may have, by its number of ranks; of as many sides.
struct SeenGrids {
  RankOrder order = RankOrder::kRows;
  std::map<int64_t, std::vector<std::vector<int64_t>>> shapes;  // none empty
};

// For each run the grids of two or three sides, their ranks row by row or where
// there is none such in another order, on which all ranks talk to all that are
// next to them and to nobody else: along one side, or corner-wise, too; around
// the same sides in all runs. A run of few ranks may have several: a ring of
// four and a row of four. Grids whose first sides are shorter come first.
// Nothing where any run has none. Complexity: ways to write N as a product of
// three, times N.
std::optional<SeenGrids> FindSeenGrids(std::span<const SeenPeers> peers);

}  // namespace ranksight::online_model
