// Laws of amounts that have a value at every size.
//
// An exact law of a share of a whole has none where inputs cannot tell how a
// remainder is rounded. For how long a message takes it does not matter: here
// it is rounded down. Never for a trace that is handed on as exact.
// Thread-safety: pure functions.
#pragma once

#include "online_model/synthesize/node_law.h"

namespace ranksight::online_model {

// The same laws, those of amounts rounded down. like: the tree they are for.
NodeLaw RoundedDown(NodeLaw law, const reduction::Node& like);

}  // namespace ranksight::online_model
