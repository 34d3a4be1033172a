// Computation where ranks share cores: between two calls a wall clock measures
// whose turn it is, so what counts is the time for which the thread ran.
//
// Everywhere else computation is from hot.left_ticks to the start of a call.
// That holds here, too: as a wrapper is entered, hot.left_ticks moves to where
// it would be if the thread had run all the time since. Reading a thread's
// processor time is a system call, so this is on only where it is needed.
//
// Thread-safety: TurnOn before any thread calls the others; these are about the
// calling thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/capture/thread.h"

namespace ranksight::runtime {

class OwnTime {
 public:
  // REQUIRES: a tick of the clock is a nanosecond.
  static void TurnOn();
  static bool IsOn() { return on_; }

  // The thread goes back to the program now.
  static void Leave(uint64_t now_ticks) {
    hot.left_ticks = now_ticks;
    if (on_) [[unlikely]]
      hot.left_processor_ns = ProcessorNs();
  }
  // A wrapper was entered now.
  static void Enter(uint64_t now_ticks) {
    if (on_) [[unlikely]]
      hot.left_ticks = now_ticks - RanFor(ProcessorNs());
  }
  // A poll that was entered then found nothing: waiting, and no computation.
  static void LeaveOutPoll(uint64_t entered_ticks) {
    if (!on_) [[likely]]
      return;
    const uint64_t ran = entered_ticks - hot.left_ticks;
    hot.left_processor_ns = ProcessorNs() - ran;
  }

 private:
  static uint64_t ProcessorNs();
  // Each reading on the way in goes with one on the way out: of both together
  // one is between the two.
  static uint64_t RanFor(uint64_t processor_ns) {
    const uint64_t ran = processor_ns - hot.left_processor_ns;
    return ran - std::min(ran, reading_ns_);
  }
  static inline bool on_ = false;
  static inline uint64_t reading_ns_ = 0;
};

}  // namespace ranksight::runtime
