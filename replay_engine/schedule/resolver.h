// Resolver: turns the relative references of recorded events into numbers of
// the objects that this rank made, by counting as the recorder counted.
//
// Invariants: numbers are never reused; an event that is refused changes
// nothing.
// Complexity: O(requests of the event).
// Thread-safety: as thread-safe as int.
#pragma once

#include <cstdint>

#include "reduction/api/event.h"
#include "reduction/api/status.h"
#include "replay_engine/api/backend.h"

namespace ranksight::replay_engine {

class Resolver {
 public:
  // kBadInput when the event refers to something that was never made.
  // operation->event points to event.
  reduction::Status Resolve(const reduction::Event& event,
                            Operation* operation);

 private:
  int64_t NewObject(reduction::Call call);
  reduction::Status ResolveRequests(const reduction::Event& event,
                                    Operation* operation) const;
  int64_t requests_made_ = 0;
  int64_t persistent_made_ = 0;
  int64_t next_comm_ = 2;  // world and self exist
  int64_t windows_made_ = 0, files_made_ = 0, sessions_made_ = 0;
};

}  // namespace ranksight::replay_engine
