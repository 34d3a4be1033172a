// Local search over swaps of two ranks, or of a rank and a free place.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "bgq_support/api/load.h"

namespace ranksight::bgq_support {

// A mapping with a smaller sum of squared link loads, by trying swaps that
// bring a rank near one of its partners. Free places are those of the first
// `ranks_per_node` of a node that no rank has. nullopt when none was found, or
// when the traffic is too large for it. Deterministic in seed. tell: as
// SwapSearch::Run.
std::optional<Mapping> ImproveBySwaps(const Machine& machine,
                                      const Mapping& mapping,
                                      const Routing& routing,
                                      const Traffic& traffic,
                                      int ranks_per_node, uint64_t seed,
                                      const std::function<void(double)>& tell);

}  // namespace ranksight::bgq_support
