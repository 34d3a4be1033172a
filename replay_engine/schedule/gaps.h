// What a trace holds that a replay cannot do, and what follows from it:
// events on the communicators, windows, files and requests that such calls
// made, or that were made on these, are passed over, on every rank alike.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_set>
#include <utility>

#include "reduction/api/event.h"
#include "reduction/api/trace.h"
#include "replay_engine/api/backend.h"

namespace ranksight::replay_engine {

class Gaps {
 public:
  // As Backend::LeaderPassesOver.
  using AskLeader = std::function<bool(const Operation&, bool mine)>;
  // Without `ask` each rank goes by what it knows.
  explicit Gaps(AskLeader ask = nullptr) : ask_(std::move(ask)) {}
  // Whether the operation must be passed over. REQUIRES: every operation of
  // the rank, in order.
  bool PassesOver(const Operation& operation);

 private:
  using Numbers = std::unordered_set<int64_t>;
  // Whether the call is on something that was not made.
  bool Names(const reduction::Event& event) const;
  // Whether the communicator that leads to the other group was not made.
  bool LacksPeers(const Operation& operation) const;
  const AskLeader ask_;
  // Not made, but for dynamic_windows_.
  Numbers comms_, requests_, windows_, files_, dynamic_windows_;
};

// Whether any rank makes a communicator that a replay cannot.
bool LacksCommunicators(const reduction::Trace& trace);

}  // namespace ranksight::replay_engine
