// Spread: an estimate of amounts whose sum is known, spread over calls and
// ranks as a measured run spread them.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "reduction/api/distribution.h"
#include "reduction/api/parameter.h"

namespace ranksight::online_model {

// Of the values of all ranks.
reduction::Distribution DistributionOf(const reduction::Parameter& values);

// `count` values on `ranks` ranks that add up to `sum`, each as far from the
// mean, in proportion, as in `like`. Nothing when there is no such thing.
std::optional<reduction::Distribution> SpreadAs(
    const reduction::Distribution& like, uint64_t count, int64_t sum,
    int64_t ranks);

}  // namespace ranksight::online_model
