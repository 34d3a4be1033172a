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

struct StreamPatience {
  int hello_ms = kHelloTimeoutMs;
  int ack_ms = kAckTimeoutMs;
};

// Ok when the side-car acknowledged the whole trace; else why not, as a line.
// Gives up after a second without an answer to the hello and five without an
// acknowledgement, or as `patience` says, and at once where the endpoint is
// none; never blocks longer, prints or throws.
reduction::Status Stream(const std::vector<uint8_t>& trace,
                         const reduction::Meta& meta,
                         const std::string& endpoint,
                         const StreamPatience& patience = {}) noexcept;

}  // namespace ranksight::runtime
