// The way of a call that is not the expected one, but was made before: it is
// made the expected one, and goes the short way then.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/capture/known_hints.h"
#include "runtime/intercept/quick_call.h"

namespace ranksight::runtime {

class KnownWay {
 public:
  // Whether the call is known. Then it is hot.expected, of which its arguments
  // pass, but for its requests. words: as for Interception::Quick. *counter:
  // the clock as the wrapper was entered; gets later, by what this took.
  template <class... Words>
  static bool Expect(reduction::Call call, void* caller, void* frame,
                     uint64_t* counter, Words... words) noexcept {
    if (!MayExpect() || !Recorder::Enter()) return false;
    bool known = false;
    const auto passes = [&](const Hint& hint) {
      OwnValues own;
      return hint.IsCall(call, caller, frame)
                 ? hint.Passes(words...)
                 : hint.IsOpenCall(call, caller, frame) &&
                       hint.PassesOpen(&own, words...);
    };
    try {
      Recorder& r = *Recorder::Get();
      const CallKey any(call, caller, frame);
      const std::array<uint64_t, sizeof...(Words)> compared = {Word(words)...};
      CallKey exact = any;
      exact.AddAll(compared);
      const KnownHints& hints = r.known_hints;
      known = r.ExpectKnown(hints.Find(exact), passes) != nullptr ||
              r.ExpectKnown(hints.FindOpen(any, compared), passes) != nullptr;
    } catch (...) {
      Recorder::Get()->Fail("recorder_failed");
    }
    Recorder::Leave();
    if (known) LeaveOut(counter);
    return known;
  }

 private:
  // Whether the thread records, by itself, a call of the program.
  static bool MayExpect() {
    const Hint* hint = hot.expected;
    return hint != &kInside && hint != &kOutside && hint != &kLogging;
  }
  // What was done since belongs neither to the computation nor to the call.
  static void LeaveOut(uint64_t* counter) {
    if (!Clock::IsCounter()) return;
    const uint64_t now = Clock::Counter();
    hot.left_ticks += now - *counter;
    hot.spent_ticks += now - *counter;
    *counter = now;
  }
};

}  // namespace ranksight::runtime
