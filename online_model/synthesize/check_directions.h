// Whether the runs tell which way calls go around the grid.
//
// Around two ranks the next one and the one before are the same. A message has
// two ends, which must still meet on longer sides; what is put to a rank or got
// from it has one, so that nothing contradicts the wrong way. A list of
// neighbours in which each rank stands once has one of the two there, and may
// have both elsewhere. Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/synthesize/node_law.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// kNo where a law of a one-sided call's peer goes an odd number of ranks around
// a side that has two ranks at most in all these runs, and more on the target;
// or where a list that skips ranks does so, or goes around a side of the
// target's of one or two ranks, as none of these runs has it; or as CheckTurns.
// like: a tree of the same shape.
reduction::Status CheckDirections(const NodeLaw& root,
                                  const reduction::Node& like,
                                  std::span<const Grid> runs,
                                  const Grid& target);

}  // namespace ranksight::online_model
