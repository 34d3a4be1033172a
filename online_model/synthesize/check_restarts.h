// Whether what goes round the ranks goes on, or begins anew.
//
// A root that is (k mod d) in iteration k of a loop of 72 may as well go round
// in each of six steps of 12, which were folded into one loop: as long as d
// divides 12, nothing tells. Where d does not divide it, the two differ. The
// same holds for a list of values that begins again at its end, and for even
// and odd iterations, as of ranks that pair off by turns. Thread-safety: pure
// function.
#pragma once

#include <span>

#include "online_model/synthesize/node_law.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

// kNo where a law goes round a number of ranks that divides some part of its
// loop in all these runs, and does not divide it on the target. Of loops that
// are as long in all runs; of lists, and of what takes turns of one length, of
// all loops. like: a tree of the same shape, whose calls say which parameters
// are arrays.
reduction::Status CheckRestarts(const NodeLaw& root,
                                const reduction::Node& like,
                                std::span<const Grid> runs, const Grid& target);

}  // namespace ranksight::online_model
