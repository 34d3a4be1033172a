// Where the ranks of a replay run. Thread-safety: collective over
// MPI_COMM_WORLD, one thread.
#pragma once

#include <functional>
#include <memory>

#include "replay_engine/api/clock.h"

namespace ranksight::replay_engine {

struct ReplayHost {
  // Spins through computation, yielding when some host has more ranks than
  // cores for them; or sleeps.
  std::unique_ptr<Clock> clock;
  bool pinned = false;                    // every rank to a core of its own
  std::function<void()> each_event = {};  // for ReplayOptions
};

// pin: bind ranks that spin to cores, where that can be done (binding.h).
ReplayHost PrepareHost(bool sleep, bool pin);

}  // namespace ranksight::replay_engine
