// Matches: what the receives and probes of a rank that asked for any source
// or any tag matched in the recording, known before they are made.
//
// A blocking call carries its match itself. That of a non-blocking receive
// stands with the call that completed it, so a second cursor walks ahead, from
// the first such receive on, as far as the receives asked about need.
//
// Invariants: what is answered is the recorded match or nothing; no guesses.
// Persistent receives are never resolved: one request names one source, and
// each start may have matched another.
// Complexity: each event is walked a second time, if there is a non-blocking
// receive to resolve; memory grows with the receives between the two cursors,
// at most kFarthest.
// Thread-safety: as a Cursor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "reduction/api/cursor.h"
#include "reduction/api/trace.h"
#include "replay_engine/api/backend.h"
#include "replay_engine/schedule/resolver.h"

namespace ranksight::replay_engine {

// Whether a receive or probe still asks for any source or tag; persistent ones
// do not count.
bool IsOpen(const Operation& operation);

class Matches {
 public:
  // REQUIRES: the trace outlives it and does not change; rank is one of it.
  Matches(const reduction::Trace& trace, int64_t rank)
      : trace_(trace), rank_(rank) {}

  // Fills in operation->source and tag of an operation whose references are
  // resolved.
  // REQUIRES: called for all of a rank's operations, in order.
  void Resolve(Operation* operation);

 private:
  // Receives that are looked ahead for at once. One that completes farther on
  // stays open; doubling this doubles some MB.
  static constexpr size_t kFarthest = size_t{1} << 16;

  struct Receive {
    int64_t request = kNoRequest;
    bool decided = false;
    int64_t source = reduction::kNone, tag = reduction::kNone;
  };

  Receive Find(int64_t request);
  void MakeRoom();
  // The receive that waits for its match, or null.
  Receive* Undecided(int64_t request);
  bool AllTaken() const { return taken_ == receives_.size(); }
  bool WalkOn();
  void Note(const Operation& operation);
  void NoteCompleted(const Operation& operation);

  const reduction::Trace& trace_;
  const int64_t rank_;
  std::optional<reduction::Cursor> cursor_;
  bool ended_ = false;
  Resolver resolver_;
  Operation operation_;  // where the second cursor is
  // Receives between the cursors from taken_ on, in the order made, which is
  // that of their requests' numbers; what was taken makes room now and then.
  std::vector<Receive> receives_;
  size_t taken_ = 0;
  size_t undecided_ = 0;                    // of them
  std::unordered_set<int64_t> persistent_;  // those that ask for any
};

}  // namespace ranksight::replay_engine
