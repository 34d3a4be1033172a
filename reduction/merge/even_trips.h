// The same number of iterations for ranks that run one node of a loop only.
//
// Such a rank shows no iterations: nine sends in a row are one loop of nine or
// three of three. Where all other ranks of a run agree on how often they run
// the loop, it is told to run it as often.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Does so for the loop and all below, where the trips of all such ranks of all
// runs can be divided so. Streams stay as they are. runs: the ranks of each,
// first and one past the last; one whose ranks all run one node of a loop only
// follows the others, if these are alike.
void EvenTrips(const std::vector<std::pair<int64_t, int64_t>>& runs,
               Node* loop);

}  // namespace ranksight::reduction
