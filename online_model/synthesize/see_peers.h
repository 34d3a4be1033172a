// Who had whom for a peer.
// Thread-safety: pure function.
#pragma once

#include <span>
#include <vector>

#include "online_model/structure/candidate_rules.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// One for each trace, the first values of each parameter: what repeats says no
// more. Where no message has a peer, those next to one another in communicators
// of some ranks.
std::vector<SeenPeers> SeePeers(std::span<const reduction::Trace> traces);

}  // namespace ranksight::online_model
