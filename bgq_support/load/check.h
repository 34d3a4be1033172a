// Whether traffic goes with a mapping. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "bgq_support/api/load.h"

namespace ranksight::bgq_support {

using Wide = unsigned __int128;

// Adds the bytes that all ranks send to *sent; false with *reason for ranks
// outside [0, ranks).
bool CheckTraffic(const Traffic& traffic, int64_t ranks, Wide* sent,
                  std::string* reason);

}  // namespace ranksight::bgq_support
