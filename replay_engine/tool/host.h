// Where the ranks of a replay run. Thread-safety: collective over
// MPI_COMM_WORLD, one thread.
#pragma once

#include <memory>

#include "replay_engine/api/clock.h"

namespace ranksight::replay_engine {

// The clock for this host: spins through computation, yielding when some
// host has more ranks than cores for them; or sleeps.
std::unique_ptr<Clock> MakeHostClock(bool sleep);

}  // namespace ranksight::replay_engine
