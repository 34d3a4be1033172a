// How many operations a call waits for, by what the calls before it begin.
//
// An exchange along one side has a receive and a send for each neighbour that
// there is, and waits for all of them: 2 or 4 on each rank, for each side in
// turn. That number needs no law of its own where the events before it in the
// loop have theirs. Thread-safety: pure function.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "online_model/structure/sequence_law.h"
#include "online_model/synthesize/node_law.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// The law that the values of the child's event are how many requests its
// siblings before it make, in the same iteration and since requests were
// waited for last; nothing where they are not, or siblings have laws that do
// not add up. REQUIRES: laws has a child for each of around's up to `child`,
// and trips of all before.
std::optional<SequenceLaw> FindBegunBefore(const reduction::Node& around,
                                           const NodeLaw& laws, size_t child,
                                           std::span<const RankPattern> values);

}  // namespace ranksight::online_model
