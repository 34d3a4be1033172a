// Local search over swaps of two ranks between hosts or packages.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "bgq_support/api/host_traffic.h"

namespace ranksight::bgq_support {

// Places with a smaller sum of squares of what hosts send and receive, by
// swaps that bring a rank to one of its partners. nullopt when none was found,
// or when there are too many messages. Deterministic in the seed.
// tell: as SwapSearch::Run.
std::optional<Mapping> SwapBetweenHosts(
    int hosts, const Mapping& mapping, const PackageRule& rule,
    const Traffic& traffic, uint64_t seed,
    const std::function<void(double)>& tell);

}  // namespace ranksight::bgq_support
