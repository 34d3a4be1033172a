// A wrapped call that was predicted: what a wrapper does on the short way.
//
// The hint says what the event will be, so between the two readings of the
// clock and the program there are comparisons and two durations kept, but no
// lock, no table and no allocation.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

#include "runtime/capture/clock.h"
#include "runtime/capture/recorder.h"
#include "runtime/capture/thread.h"
#include "runtime/epoch/epochs.h"

namespace ranksight::runtime {

// The requests of a predicted call, as the table knows them. They are kept with
// the thread.
class QuickRequests {
 public:
  static constexpr size_t kMost = ThreadState::kMostHeld;

  // Whether the requests of a call that was made are those of the hint.
  static bool Match(const Hint* hint, const MPI_Request* requests, int n) {
    return Look<false>(hint, requests, n);
  }
  // The same for a call that is about to be made, which finishes with them.
  static bool Await(const Hint* hint, const MPI_Request* requests, int n) {
    return Look<true>(hint, requests, n);
  }
  // Only finds out what the requests are, for Held and hot.rest->passed. False
  // where there are too many.
  static bool LookUp(const MPI_Request* requests, int n) {
    if (n < 0 || size_t(n) > kMost || !Recorder::Enter()) return false;
    RequestTable& table = Recorder::Get()->tables.requests;
    table.BeginCall();
    for (size_t i = 0; i < size_t(n); ++i) {
      hot.rest->passed[i] =
          table.Reference(requests[i], &hot.rest->held[i], &hot);
    }
    Recorder::Leave();
    return true;
  }
  // As Match, whatever receives among them from any source or with any tag.
  static bool MatchReferences(const Hint* hint, const MPI_Request* requests,
                              int n) {
    return Look<false, false>(hint, requests, n);
  }
  // Those of the last that matched. REQUIRES: it had as many.
  static std::span<const RequestTable::Held> Held(size_t count) {
    return {hot.rest->held.data(), count};
  }

 private:
  template <bool is_ahead, bool compares_choices = true>
  static bool Look(const Hint* hint, const MPI_Request* requests, int n) {
    if (n < 0 || size_t(n) != hint->references.size() || size_t(n) > kMost ||
        !Recorder::Enter()) {
      return false;
    }
    const auto count = size_t(n);
    auto& held = hot.rest->held;
    RequestTable& table = Recorder::Get()->tables.requests;
    table.BeginCall();
    bool same = true;
    for (size_t i = 0; i < count && same; ++i) {
      same =
          table.Reference(requests[i], &held[i], &hot) == hint->references[i];
    }
    if (compares_choices) {
      same = same && Choices(table, count) == hint->match_count;
    }
    if (is_ahead && same) {
      hot.one = held[0];
      hot.SetInFlight(count);
    }
    Recorder::Leave();
    return same;
  }
  // How many receive from any source or with any tag.
  static size_t Choices(const RequestTable& table, size_t count) {
    if (!table.HasChoices()) [[likely]]
      return 0;
    size_t n = 0;
    for (const auto& h : Held(count)) n += RequestTable::ChoiceOf(h) != nullptr;
    return n;
  }
};

// The same for a call with a single one, which is hot.one then.
class QuickRequest {
 public:
  static bool Match(const Hint* hint, const MPI_Request* request) {
    return Look<false>(hint, request);
  }
  static bool Await(const Hint* hint, const MPI_Request* request) {
    return Look<true>(hint, request);
  }
  // As QuickRequests::MatchReferences.
  static bool MatchReference(const Hint* hint, const MPI_Request* request) {
    return QuickRequests::MatchReferences(hint, request, 1);
  }
  // As Await where its handle was this last time and nothing else is behind
  // it; false says nothing.
  [[gnu::always_inline]] static bool AwaitAgain(const Hint* hint,
                                                const MPI_Request* request) {
    if (!Recorder::Enter()) return false;
    const bool same = Recorder::Get()->tables.requests.IsSingle(
        *request, hint->reference, hint->live, &hot.one);
    if (same) hot.SetInFlight(1);
    Recorder::Leave();
    return same;
  }

 private:
  template <bool is_ahead>
  static bool Look(const Hint* hint, const MPI_Request* request) {
    if (hint->references.size() != 1 || !Recorder::Enter()) return false;
    const RequestTable& table = Recorder::Get()->tables.requests;
    bool same = table.Matches(*request, hint->reference, &hot.one);
    same = same && size_t{RequestTable::ChoiceOf(hot.one) != nullptr} ==
                       hint->match_count;
    if (is_ahead && same) {
      hint->live = hot.one.live;
      hot.SetInFlight(1);
    }
    Recorder::Leave();
    return same;
  }
};

// A call that was made the short way.
struct MadeCall {
  const Hint* hint;
  uint64_t started_ticks, returned_ticks;

  // Computation before it, and time in it: what it took to recognise it lies
  // between the two readings.
  int64_t ComputeTicks() const {
    return int64_t(started_ticks - hot.left_ticks);
  }
  int64_t CallTicks() const {
    return Recorder::Get()->overhead.CallTicks(started_ticks, returned_ticks);
  }
};

// The rare ends of such a call. Their arguments are in registers, the result of
// the call first, which they return.

// The folder keeps as many durations as it should. Leaves the recorder.
int AtStop(int result, uint64_t returned) noexcept;
// It failed to make its request, or refused its arguments, and so is none of
// the trace's.
int MadeNothing(int result) noexcept;
// It failed; nothing was made or awaited.
int Failed(int result, uint64_t returned) noexcept;
// Another thread has taken the recorder meanwhile, or it was switched off.
// request: made by the call, if not nullptr.
int Late(int result, uint64_t returned, const MPI_Request* request) noexcept;
// The same when it finished those in flight, and of any that failed. left: the
// requests of a call that failed; the ones gone are finished.
int LateFinished(int result, uint64_t returned,
                 const MPI_Request* left) noexcept;
// A slice of the merging while the program runs.
int RunSliceAfterCall(int result = MPI_SUCCESS) noexcept;

// After a call. left: see LateFinished.
void FinishRequests(std::span<const RequestTable::Held> held,
                    const MPI_Request* left);
// All of those in flight.
inline void FinishInFlight() {
  FinishRequests(hot.InFlight(), nullptr);
  hot.SetInFlight(0);
}

// Looks at a call that was predicted as one that was not; it has finished what
// is in flight. own: what it brings, if anything; made: the request it made;
// left: see LateFinished. nullptr where there is nothing.
void FoldLate(const MadeCall& call, const OwnValues* own,
              const MPI_Request* made, const MPI_Request* left) noexcept;

// During the call a wrapper keeps nothing, or only where its request lies: the
// rest is in the thread's place. What comes before the call is part of the
// wrapper, where the arguments are in registers already; left to the compiler
// it is not. What follows is one function, which takes the result and is the
// wrapper's last call, as its own rare ends are of its own; so neither need
// keep any register.
class QuickCall {
 public:
  // Whether the call is the expected one, for all that is known before its
  // arguments. The hint's other members hold then.
  [[gnu::always_inline]] static bool Expected(const Hint* hint,
                                              reduction::Call call,
                                              void* caller, void* frame) {
    // First whether it is of this thread: it names places on its stack.
    return hint->changes == Meanings::Changes() &&
           hint->IsCall(call, caller, frame);
  }

  // Before the call. frame: the wrapper's; started: the clock as it was
  // entered. Reading it waits for all that came before, so recognising the
  // call comes after it, beside the call itself.
  [[gnu::always_inline]] static void Begin(const Hint* hint, void* frame,
                                           uint64_t started) {
    hot.GoInside(frame);
    hot.made = hint;
    hot.started_ticks = started;
  }

  // After the call. result: of the call; they return it.
  [[gnu::noinline]] static int Done(int result) noexcept {
    const uint64_t returned = Clock::Counter();
    if (result != MPI_SUCCESS) [[unlikely]] {
      return Failed(result, returned);
    }
    if (!Recorder::Enter()) [[unlikely]] {
      return Late(result, returned, nullptr);
    }
    return Follow(result, returned);
  }
  // The same for one that made a request.
  [[gnu::noinline]] static int Made(int result,
                                    const MPI_Request* request) noexcept {
    const uint64_t returned = Clock::Counter();
    if (result != MPI_SUCCESS) [[unlikely]]
      return MadeNothing(result);
    if (!Recorder::Enter()) [[unlikely]] {
      return Late(result, returned, request);
    }
    if (!Recorder::Get()->tables.requests.AddSingle(
            *request, &hot, hot.made->live)) [[unlikely]] {
      return MadeOther(result, returned, request);
    }
    return Follow(result, returned);
  }
  // The same for one that finished requests, those awaited, unless it failed.
  [[gnu::noinline]] static int Finished(int result,
                                        const MPI_Request* requests) noexcept {
    const uint64_t returned = Clock::Counter();
    if (result != MPI_SUCCESS) [[unlikely]] {
      return LateFinished(result, returned, requests);
    }
    if (!Recorder::Enter()) [[unlikely]] {
      return LateFinished(result, returned, nullptr);
    }
    FinishInFlight();
    return Follow(result, returned);
  }
  // The same for one awaited again.
  [[gnu::noinline]] static int FinishedOne(
      int result, const MPI_Request* request) noexcept {
    const uint64_t returned = Clock::Counter();
    if (result != MPI_SUCCESS) [[unlikely]] {
      return LateFinished(result, returned, request);
    }
    if (!Recorder::Enter()) [[unlikely]] {
      return LateFinished(result, returned, nullptr);
    }
    RequestTable::FinishSingle(hot.one);
    hot.SetInFlight(0);
    return Follow(result, returned);
  }

 private:
  // Within the recorder.
  [[gnu::noinline]] static int MadeOther(int result, uint64_t returned,
                                         const MPI_Request* request) noexcept {
    RequestTable& requests = Recorder::Get()->tables.requests;
    requests.Add(*request, false, &hot);
    hot.made->live = requests.LiveOf(*request);
    return Follow(result, returned);
  }

  [[gnu::always_inline]] static int Follow(int result, uint64_t returned) {
    Recorder& r = *Recorder::Get();
    const uint64_t started = hot.started_ticks;
    r.folder.FollowInTicks(int64_t(started - hot.left_ticks),
                           r.overhead.CallTicks(started, returned));
    r.Expect();
    hot.left_ticks = r.overhead.LeftAt(returned);
    if (r.folder.AtStop()) [[unlikely]] {
      return AtStop(result, returned);
    }
    Recorder::Leave();
    if (SliceIsDue(returned)) [[unlikely]] {
      return RunSliceAfterCall(result);
    }
    return result;
  }
};

}  // namespace ranksight::runtime
