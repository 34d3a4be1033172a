// What the collectives of one call site send, from the compressed trace.
//
// Thread-safety: pure function.
#pragma once

#include <functional>

#include "cli/look/flows.h"
#include "cli/look/groups.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

// The communicator with a number of a rank's, or null.
using GroupOf = std::function<const CommGroup*(int64_t rank, int64_t number)>;

// Pairs of ranks held one by one, where not all exchange the same; twice as
// many take twice the memory.
inline constexpr uint64_t kMostPairs = 4'000'000;

// Adds the messages of all calls of a node, a collective but no all-to-all
// exchange, to *site. False, and nothing added, where algorithms differ too
// much between libraries to be counted (neighbourhoods), or communicators,
// roots or sizes are not regular enough to know who sends what to whom.
bool AddCollective(const reduction::Node& node, int64_t ranks,
                   const GroupOf& group_of, SiteTraffic* site);

}  // namespace ranksight::cli
