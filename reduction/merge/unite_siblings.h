// One place for an event that ranks reach past different others.
//
// Where call sites have conditions around them, a rank shows only some, and
// merging rank by rank may put one site in several places of a list. As no
// rank shows all of the program's order, it is put together here from all of
// them: what comes before what on any rank is kept, and nothing else.
//
// Thread-safety: pure functions.
// Complexity: cubic in the children of one loop, at worst; lists longer than
// a thousand are left as they are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reduction/api/trace.h"
#include "reduction/merge/skeleton.h"

namespace ranksight::reduction {

// Unites children of the loop and of all loops below that are the same, are
// run by different ranks, and can stand in one place with each rank's order
// kept. Lists in which nothing is united keep their order; in others children
// whose order no rank shows stand in code order. Streams stay as they are.
// ranks: all that may occur are less.
void UniteSiblings(int64_t ranks, Node* loop);
// The same, with forms in place of ranks.
void UniteSiblings(size_t forms, Skeleton* loop);

}  // namespace ranksight::reduction
