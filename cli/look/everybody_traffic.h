// What MPI_Alltoall and its v and w forms send, from the compressed trace:
// every pair exchanges its share, whatever the algorithm.
//
// Thread-safety: pure functions.
#pragma once

#include "cli/look/collective_traffic.h"

namespace ranksight::cli {

bool IsEverybody(reduction::Call call);

// Adds the messages of all calls of a node to *site. False, and nothing added,
// when communicators or sizes are not regular enough to know who gives what to
// whom. REQUIRES: IsEverybody(node.call).
bool AddEverybody(const reduction::Node& node, int64_t ranks,
                  const GroupOf& group_of, SiteTraffic* site);

}  // namespace ranksight::cli
