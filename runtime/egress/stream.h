// Sends a finished trace to a side-car (reduction/WIRE.md), from rank 0.
// ZeroMQ is loaded privately on first use; nobody else sees it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"
#include "runtime/egress/peer.h"

namespace ranksight::runtime {

// Ok when the side-car acknowledged the whole trace; else why not, as a line.
// Gives up when `patience` ends without an answer to the hello or without an
// acknowledgement, and at once where the endpoint is none; never blocks longer,
// prints or throws.
reduction::Status Stream(const std::vector<uint8_t>& trace,
                         const reduction::Meta& meta,
                         const std::string& endpoint,
                         const Patience& patience = {}) noexcept;

}  // namespace ranksight::runtime
