// What belongs to one thread of the program. The part that every call
// touches needs no initialisation and no call to be found.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/capture/arguments.h"
#include "runtime/capture/call_log.h"
#include "runtime/capture/hint.h"

namespace ranksight::runtime {

// The part that is needed off the predicted path only.
struct ThreadState {
  Arguments arguments;
  std::vector<MPI_Request> requests;  // as passed to the call being made
  // Where several threads make calls; see call_log.h.
  KnownCalls known;
  std::unique_ptr<CallLog> log;
  // Of HotThread::in_flight. Doubling it serves calls with twice as
  // many requests; those with more take the long way.
  static constexpr size_t kMostHeld = 64;
  std::array<RequestTable::Held, kMostHeld> held;
  std::array<int64_t, kMostHeld> passed;  // references to them
  // Of those in flight when they were claimed: the peers of each that had a
  // choice.
  std::array<std::optional<WorldRanksOfPeers>, kMostHeld> choices;
};

struct HotThread {
  const Hint* expected = &kOutside;
  uint64_t left_ticks = 0;  // when the last call was left; 0: none yet
  // What recording took of it, but for the short way, and the recorder does not
  // know of.
  uint64_t spent_ticks = 0;
  // The thread is among what the recorder's lock guards, without the lock.
  std::atomic<uint32_t> busy{0};
  ThreadState* rest = nullptr;
  // Of the predicted call being made.
  const Hint* made = nullptr;
  uint64_t started_ticks = 0;
  // How many requests the call being made finishes with, when it was recognised
  // without the lock: `one`, or else those in rest->held. Whoever takes the
  // recorder meanwhile claims them, once.
  std::atomic<size_t> in_flight{0};
  bool claimed = false;
  RequestTable::Held one{};

  // Of the wrapper whose call it is inside of: where it lies, and the word
  // above, which is where it returns to; nullptr: not known.
  void* inside_frame = nullptr;
  void* inside_word = nullptr;

  uint64_t left_processor_ns = 0;  // see own_time.h

  [[gnu::always_inline]] void GoInside(void* frame) {
    expected = &kInside;
    inside_frame = frame;
    inside_word = static_cast<void**>(frame)[1];
  }

  std::span<const RequestTable::Held> InFlight() const {
    const size_t count = in_flight.load(std::memory_order_relaxed);
    if (count == 0) return {};
    return {count == 1 ? &one : rest->held.data(), count};
  }
  void SetInFlight(size_t count) {
    in_flight.store(count, std::memory_order_relaxed);
  }
};

// At a fixed place of each thread: no look-up, no guard. A simulator that
// loads a copy for each rank has no room for that.
#if !defined(SMPI_H)
[[gnu::tls_model("initial-exec")]]
#endif
extern constinit thread_local HotThread hot;

// Makes hot.rest, freed when the thread ends. False without memory.
bool PrepareThread() noexcept;

// Whether the call made by the wrapper that lies there is MPI's own, or ours.
// The call that the thread is inside of may have been left by a jump or an
// exception of the program: that is counted, and it is inside no more.
bool StillInside(const void* frame) noexcept;
inline bool IsInside(const void* frame) noexcept {
  return hot.expected == &kInside && StillInside(frame);
}

// While it lives, calls of this thread are MPI's own, or ours.
class Inside {
 public:
  Inside() : before_(hot.expected) {
    hot.expected = &kInside;
    hot.inside_frame = nullptr;
  }
  ~Inside() { hot.expected = before_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  const Hint* before_;
};

}  // namespace ranksight::runtime
