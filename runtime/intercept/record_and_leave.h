// What the owner of the recorder does once a call has returned: records, and
// leaves. Whatever fails on the way is the recorder's loss, not the program's.
// Thread-safety: for the owner, between Recorder::Enter and its end.
#pragma once

#include <cstdint>

#include "runtime/intercept/quick_call.h"

namespace ranksight::runtime {

// Leaves the recorder behind record(recorder). No call is expected where that
// fails.
template <class F>
void RecordAndLeave(F&& record) noexcept {
  Recorder& r = *Recorder::Get();
  try {
    record(r);
  } catch (...) {
    r.Fail("recorder_failed");
    hot.expected = &kOutside;
  }
  Recorder::Leave();
}

// Behind that: a slice of an epoch where one is due, and what is computed now
// is the program's again.
inline void LeaveCall(uint64_t returned_ticks) noexcept {
  if (SliceIsDue(returned_ticks)) [[unlikely]] {
    Recorder::Spent(returned_ticks);
    RunSliceAfterCall();
    return;
  }
  OwnTime::Leave(Clock::Now());
  hot.spent_ticks += hot.left_ticks - returned_ticks;
}

}  // namespace ranksight::runtime
