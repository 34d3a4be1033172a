// How many ranks every call site speaks to.
// Thread-safety: pure functions. Complexity: O(structure x ranks).
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "reduction/api/call.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Ordered pairs of ranks by (call, site): of messages, who names whom as its
// destination, or source where it only receives; of a collective, each rank
// with the other members of the largest communicator that it is called on.
// MPI_PROC_NULL and MPI_ANY_SOURCE are nobody. Sites without any are left out.
std::map<std::pair<Call, uint32_t>, uint64_t> PairsBySite(const Trace& trace);

}  // namespace ranksight::reduction
