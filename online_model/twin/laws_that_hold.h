// The laws of a program of which some are missing, as far as they also hold on
// the largest run, which was held out.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "online_model/twin/rank_run.h"

namespace ranksight::online_model {

struct LawsThatHold {
  NodeLaw root;
  std::vector<Grid> grids;  // of the inputs
  Grid target;
  uint64_t exact = 0, missing = 0;
};

// By the grid of which most laws hold. traces: as AlignedInputs gives them.
// kNo where the target's ranks form no such grid.
reduction::Result<LawsThatHold> FindLawsThatHold(
    const std::vector<reduction::Trace>& traces,
    const ExtrapolationRequest& request);

}  // namespace ranksight::online_model
