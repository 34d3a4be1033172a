// Sends a finished trace to a side-car (reduction/WIRE.md), from rank 0.
// ZeroMQ is loaded privately on first use; nobody else sees it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::runtime {

// True when the side-car acknowledged the whole trace. Gives up after a
// second without an answer to the hello and five without an acknowledgement;
// never blocks longer, prints or throws.
bool Stream(const std::vector<uint8_t>& trace, const reduction::Meta& meta,
            const std::string& endpoint) noexcept;

}  // namespace ranksight::runtime
