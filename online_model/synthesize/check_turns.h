// Ranks that pair off by turns, as in odd-even transposition: the last one
// waits in the same rounds as the first or in the others, by whether they are
// an even number or an odd one. Where rounds go on from where they left off,
// runs of one kind do not show what it is for the other. Of two ranks, which
// pair off once, none shows whether others do so the other way round as well.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/synthesize/node_law.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

// kNo where ranks pair off along a side that has an even number of them in all
// these runs and an odd one on the target, or the other way round, and the last
// one does so another number of times than those within; and along a side that
// is longer than two on the target alone; and where a loop goes through such
// partners and what is called there follows other lists.
reduction::Status CheckTurns(const NodeLaw& root, std::span<const Grid> runs,
                             const Grid& target);

}  // namespace ranksight::online_model
