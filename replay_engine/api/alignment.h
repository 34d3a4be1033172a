// Alignment: what receives and probes that ask for any source or tag match in
// one run that ends, found by walking all ranks at once without MPI. Asking for
// that instead makes a replay the same whatever the timing, also where the
// trace does not say what was matched, as one that was extrapolated. After Wu,
// Mueller and Pakin, "Automatic generation of executable communication
// specifications from parallel applications", ICS 2011.
//
// Sends are first taken to wait for their receives; only where that does not
// end, to be held back by the library. Ranks are walked in the order in which
// they can go on, from rank 0: the same trace always gives the same alignment.
// One order is tried; receives by name that need another make it fail.
//
// Memory: as CheckProgress, and what is returned. Complexity: as CheckProgress.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/api/event.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::replay_engine {

// As Operation::source and tag have them. Of a receive that was cancelled: any.
struct Match {
  int64_t source = reduction::kPeerAny;
  int64_t tag = reduction::kTagAny;
  bool operator==(const Match&) const = default;
};

// By rank, one for each of its receives and probes that are open (IsOpen in
// schedule/matches.h), in the order in which they are made.
using Alignment = std::vector<std::vector<Match>>;

// wildcards: those that the recording says the match of are found anew, too.
// kNo when no order of arrival that was tried ends, or the members of a
// communicator are not known; kBadInput when the trace contradicts itself.
reduction::Result<Alignment> Align(const reduction::Trace& trace,
                                   bool wildcards, double bytes_scale);

}  // namespace ranksight::replay_engine
