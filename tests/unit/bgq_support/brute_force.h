// The slow obvious way to link loads: every message, every order of
// dimensions, every way round, hop by hop, written from the routing rule's
// words. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "bgq_support/api/load.h"

namespace ranksight::bgq_support {

// In the order of LinkLoads::load, in bytes x scale.
std::vector<uint64_t> WalkEveryMessage(const Machine& machine,
                                       const Mapping& mapping,
                                       const Routing& routing,
                                       const Traffic& traffic, uint64_t scale);

}  // namespace ranksight::bgq_support
