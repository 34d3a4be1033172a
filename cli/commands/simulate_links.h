// A simulation by our own walk of all ranks over the links of a network, for
// traces that SimGrid cannot hold or not within the limit, with what the links
// carry.
// Thread-safety: one at a time.
#pragma once

#include <string>

#include "cli/commands/simulate_run.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

// kUsage with the option that SimGrid alone knows.
reduction::Status CheckOwnWalk(const SimulateOptions& options);

// why: it is not SimGrid; empty where it was not to be. Where the limit was
// spent, ranks cannot be walked, or have no way to their end, the output says
// what the links carry, and the status is 1.
reduction::Result<Ended> SimulateOnOwnLinks(const SimulateOptions& options,
                                            const reduction::Trace& trace,
                                            const std::string& why);

}  // namespace ranksight::cli
