// The identity of an event across runs: the call and the frames of its call
// site, each by build id (or name, where a module has none) and offset. The
// site index of a trace is not stable over runs; this is.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "reduction/api/trace.h"

namespace ranksight::online_model {

// REQUIRES: event is an event of a trace that holds `sites`.
std::string EventKey(const reduction::Sites& sites,
                     const reduction::Node& event);

}  // namespace ranksight::online_model
