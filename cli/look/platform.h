// A SimGrid platform for a torus, and where its ranks run.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "bgq_support/api/machine.h"
#include "bgq_support/api/mapping.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

// Platform file (DTD 4.1): host n<node> for each node, links of the
// machine's bandwidth and latency in both directions. kUsage for what
// SimGrid's torus cannot be: dimensions that do not wrap, half-rate links.
reduction::Result<std::string> PlatformOf(const bgq_support::Machine& machine);

// One host name a line, in rank order.
std::string HostFileOf(const bgq_support::Mapping& mapping);

}  // namespace ranksight::cli
