// LookAhead: what becomes of a rank's receives that do not block, known when
// they begin.
//
// What a receive matched that asked for any source or tag stands with the call
// that completed it, and a cancel is a call of its own. So a second cursor
// walks ahead, from the first receive asked about on, as far as the receives
// asked about need.
//
// Invariants: a match is answered as it was recorded or not at all; no guesses.
// A receive that was cancelled received nothing, unless a match is recorded:
// of one that asked for nothing but one source and one tag a trace does not
// say whether the cancel came too late.
// Complexity: each event is walked a second time, if there is a receive to ask
// about; memory grows with the receives between the two cursors, at most
// kFarthest, and with those that never complete.
// Thread-safety: as a Cursor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reduction/api/cursor.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Whether a receive or probe leaves something to choose.
inline bool AsksForAny(int64_t source, int64_t tag) {
  return source == kPeerAny || (tag == kTagAny && source != kPeerNull);
}

class LookAhead {
 public:
  // REQUIRES: the trace outlives it and does not change; rank is one of it.
  LookAhead(const Trace& trace, int64_t rank) : trace_(trace), rank_(rank) {}

  // Of a receive: kNone for what was not matched, or is not known.
  struct Outcome {
    int64_t source = kNone, tag = kNone;
    bool cancelled = false;
  };
  // Whether there is something to know of receives that ask for this.
  bool Watches(int64_t source, int64_t tag);
  // Of the request of a receive, as RankWalk numbers them; of a persistent one,
  // of its next start.
  // REQUIRES: it is watched; receives are asked about in the order in which
  // they begin, and of a persistent request all starts or none.
  Outcome Of(int64_t request);

 private:
  // Receives that are looked ahead for at once. Of one that completes farther
  // on nothing is known; doubling this doubles some MB.
  static constexpr size_t kFarthest = size_t{1} << 16;

  // One that began, to be asked about.
  struct Receive {
    int64_t request;
    bool decided = false, cancelled = false;
    int64_t source = kNone, tag = kNone;
  };
  // A request; of those of no interest is_receive is false.
  struct Watched {
    int64_t request = kNone;  // as RankWalk numbers it
    bool is_receive = false;
    bool asks_for_any = false;  // what completes it says what it matched
    bool is_open = false;
    uint64_t place = 0;  // of all receives that began, where it is open
  };

  bool Cancels();
  const Receive& Next() const { return receives_[taken_]; }
  bool AllTaken() const { return taken_ == receives_.size(); }
  bool IsPast(int64_t request) const;
  void MakeRoom();
  bool WalkOn();
  void Note(const Event& e);
  void NoteMade(const Event& e);
  void NoteBegun(Watched* watched);
  void NoteOnRequests(const Event& e);
  void NoteCompleted(const Event& e);
  void ForgetClosed();
  // Fills completed_.
  void FindCompleted(const Event& e);
  // kNone where there is none.
  int64_t NumberOf(int64_t reference) const;
  // Persistent or open, and watched; else null.
  Watched* Find(int64_t request);
  // Null when nobody will ask.
  Receive* ReceiveOf(const Watched& watched);

  const Trace& trace_;
  const int64_t rank_;
  std::optional<bool> cancels_;
  std::optional<Cursor> cursor_;
  bool ended_ = false;
  int64_t requests_made_ = 0;
  // Receives between the cursors from taken_ on, in the order in which they
  // began; what was taken makes room now and then.
  std::vector<Receive> receives_;
  size_t taken_ = 0;
  uint64_t passed_ = 0;  // receives that began before those
  std::vector<Watched> persistent_;
  // Others, by number; of those that are not open any more there are closed_.
  std::vector<Watched> open_;
  size_t closed_ = 0;
  std::vector<Watched*> completed_;  // or freed, by the call at hand
};

}  // namespace ranksight::reduction
