// What a trace holds that a replay cannot do, and what follows from it:
// events on the communicators and requests that such calls made are passed
// over, on every rank alike. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "reduction/api/event.h"
#include "replay_engine/api/backend.h"

namespace ranksight::replay_engine {

class Gaps {
 public:
  // Whether the operation must be passed over. REQUIRES: every operation of
  // the rank, in order.
  bool PassesOver(const Operation& operation);

 private:
  std::unordered_set<int64_t> comms_, requests_, dynamic_windows_;
};

}  // namespace ranksight::replay_engine
