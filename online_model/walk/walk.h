// Walks all ranks of a program at once through its messages and collectives,
// with given computation and a given network: who waits for whom and what
// overlaps decides the time, as it does in a run. A discrete-event
// simulation, with contention inside the network where its links are known:
// each link serves messages in the order in which they leave.
//
// Thread-safety: pure function. Complexity: O(operations) but for wild
// receives.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "online_model/api/stop.h"
#include "online_model/walk/network.h"
#include "online_model/walk/program.h"
#include "online_model/walk/uneven.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

// How computation differs, relative to its mean.
struct ComputeSpread {
  // Standard deviation: between ranks, and from one occurrence to the next.
  double between = 0, within = 0;
  Uneven uneven;  // where known, what `between` comes from
};

// Seconds of one event: an occurrence on a mean rank.
struct EventCost {
  double local = 0;  // in the call, where nothing moves and nobody waits
  // Of ranks' first occurrences, and of the others: what is computed before may
  // be another thing altogether.
  std::array<ComputeSpread, kOccasions> spread;
};

struct Costs {
  std::vector<EventCost> events;
  // By context, seconds before the call.
  std::array<std::vector<double>, kOccasions> compute;
};

// The same where every occurrence takes a rank's mean: of ranks that shared
// cores, what differs from one to the next is who ran between them.
Costs WithoutJitter(Costs costs);

// The same where computation takes `factor` times as long.
Costs Slower(Costs costs, double factor);

struct Walked {
  double seconds = 0;                    // until the last rank's end
  std::vector<double> in_call, compute;  // by event, sum over ranks
  double most_computed = 0;              // by one rank
};

// A walk asks `stop` each time it has looked at so many operations: a few
// milliseconds.
inline constexpr uint64_t kStopEvery = 1 << 16;

// REQUIRES: costs know every event and context of the program, and links, where
// known, have a place for each rank; they are not known where actors stand for
// many ranks. kNo when ranks wait for messages that
// nobody sends; what `stop` says when it says so.
reduction::Result<Walked> Walk(const Program& program, const Costs& costs,
                               const Network& network, const Stop& stop = {});

}  // namespace ranksight::online_model
