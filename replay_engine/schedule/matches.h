// Matches: what the receives and probes of a rank that asked for any source
// or any tag matched in the recording, known before they are made.
//
// A blocking call carries its match itself; that of a non-blocking receive is
// looked ahead for.
//
// Invariants: what is answered is the recorded match or nothing; no guesses.
// Persistent receives are never resolved: one request names one source, and
// each start may have matched another.
// Complexity: that of looking ahead (look_ahead.h).
// Thread-safety: as a Cursor.
#pragma once

#include <cstdint>

#include "reduction/api/look_ahead.h"
#include "reduction/api/trace.h"
#include "replay_engine/api/backend.h"

namespace ranksight::replay_engine {

// Whether a receive or probe still asks for any source or tag; persistent ones
// do not count.
bool IsOpen(const Operation& operation);

class Matches {
 public:
  // REQUIRES: the trace outlives it and does not change; rank is one of it.
  Matches(const reduction::Trace& trace, int64_t rank) : ahead_(trace, rank) {}

  // Fills in operation->source and tag of an operation whose references are
  // resolved.
  // REQUIRES: called for all of a rank's operations, in order.
  void Resolve(Operation* operation);

 private:
  reduction::LookAhead ahead_;
};

}  // namespace ranksight::replay_engine
