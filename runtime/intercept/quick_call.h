// A wrapped call that was predicted: what a wrapper does on the short way.
//
// The hint says what the event will be, so between the two readings of the
// clock and the program there are comparisons and two sketches, but no lock,
// no table and no allocation.
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
  // Those of the last that matched. REQUIRES: it had as many.
  static std::span<const RequestTable::Held> Held(size_t count) {
    return {hot.rest->held.data(), count};
  }

 private:
  template <bool is_ahead>
  static bool Look(const Hint* hint, const MPI_Request* requests, int n) {
    if (n < 0 || size_t(n) != hint->request_count || size_t(n) > kMost ||
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
    same = same && Choices(table, count) == hint->match_count;
    if (is_ahead && same) hot.SetInFlight(held.data(), count);
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

 private:
  template <bool is_ahead>
  static bool Look(const Hint* hint, const MPI_Request* request) {
    if (hint->request_count != 1 || !Recorder::Enter()) return false;
    const RequestTable& table = Recorder::Get()->tables.requests;
    bool same = table.Matches(*request, hint->references[0], &hot.one);
    same = same && size_t{RequestTable::ChoiceOf(hot.one) != nullptr} ==
                       hint->match_count;
    if (is_ahead && same) hot.SetInFlight(&hot.one, 1);
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
    return Recorder::Get()->overhead.CallTicks(started_ticks, returned_ticks,
                                               Clock::ReadingTicks());
  }
};

// The rare ends of such a call. Their arguments are those of MadeCall, in
// registers.

// The sketches need memory. Leaves the recorder.
void FollowMakingRoom(const Hint* hint, uint64_t started,
                      uint64_t returned) noexcept;
// Another thread has taken the recorder meanwhile, or it was switched off.
// request: made by the call, if not nullptr.
void Late(const Hint* hint, uint64_t started, uint64_t returned,
          const MPI_Request* request) noexcept;
// The same when it finished those in flight. left: the requests of a call that
// failed; the ones gone are finished.
void LateFinished(const Hint* hint, uint64_t started, uint64_t returned,
                  const MPI_Request* left) noexcept;
// What recording and recognising a call have cost.
void MeasureOverhead(const Hint* hint, uint64_t returned) noexcept;
// A slice of the merging while the program runs.
void RunSliceAfterCall() noexcept;

// After a call. left: see LateFinished.
void FinishRequests(std::span<const RequestTable::Held> held,
                    const MPI_Request* left);
// The same of those in flight.
inline void FinishInFlight(const MPI_Request* left) {
  FinishRequests(hot.InFlight(), left);
  hot.NoneInFlight();
}

// Looks at a call that was predicted as one that was not; it has finished what
// is in flight. own: what it brings, if anything; made: the request it made;
// left: see LateFinished. nullptr where there is nothing.
void FoldLate(const MadeCall& call, const OwnValues* own,
              const MPI_Request* made, const MPI_Request* left) noexcept;

// Between the two readings of the clock a wrapper holds nothing but the hint
// and the first of them. What comes before the call is part of the wrapper,
// where the arguments are in registers already; left to the compiler it is not.
// What follows the second is one function, whose rare ends are its last calls,
// so that it need not keep any register.
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

  // started: the clock as the wrapper was entered. Reading it waits for all
  // that came before, so recognising the call comes after it, beside the call
  // itself, and so does the look at what comes next.
  [[gnu::always_inline]] QuickCall(const Hint* hint, uint64_t started)
      : hint_(hint),
        started_ticks_(started),
        next_(Recorder::Get()->folder.Next()) {
    hot.expected = &kInside;
  }
  QuickCall(const QuickCall&) = delete;
  QuickCall& operator=(const QuickCall&) = delete;

  // After the call.
  [[gnu::always_inline]] void Done() const {
    Done(hint_, started_ticks_, next_);
  }
  // The same for one that made a request.
  [[gnu::always_inline]] void Made(int result,
                                   const MPI_Request* request) const {
    Made(hint_, started_ticks_, next_,
         result == MPI_SUCCESS ? request : nullptr);
  }
  // The same for one that finished requests, those awaited, unless it failed.
  [[gnu::always_inline]] void Finished(int result,
                                       const MPI_Request* requests) const {
    Finished(hint_, started_ticks_, next_,
             result == MPI_SUCCESS ? nullptr : requests);
  }
  [[gnu::always_inline]] void FinishedOne(int result,
                                          const MPI_Request* request) const {
    FinishedOne(hint_, started_ticks_, next_,
                result == MPI_SUCCESS ? nullptr : request);
  }

 private:
  [[gnu::noinline]] static void Done(const Hint* hint, uint64_t started,
                                     reduction::Variant* next) noexcept {
    const uint64_t returned = Clock::Now();
    if (!Recorder::Enter()) [[unlikely]] {
      return Late(hint, started, returned, nullptr);
    }
    return Follow({hint, started, returned}, next);
  }
  [[gnu::noinline]] static void Made(const Hint* hint, uint64_t started,
                                     reduction::Variant* next,
                                     const MPI_Request* request) noexcept {
    const uint64_t returned = Clock::Now();
    if (!Recorder::Enter()) [[unlikely]] {
      return Late(hint, started, returned, request);
    }
    if (request != nullptr && !Recorder::Get()->tables.requests.AddSingle(
                                  *request, &hot)) [[unlikely]] {
      return MadeOther(hint, started, returned, request);
    }
    return Follow({hint, started, returned}, next);
  }
  [[gnu::noinline]] static void MadeOther(const Hint* hint, uint64_t started,
                                          uint64_t returned,
                                          const MPI_Request* request) noexcept {
    Recorder& r = *Recorder::Get();
    r.tables.requests.Add(*request, false, &hot);
    return Follow({hint, started, returned}, r.folder.Next());
  }
  [[gnu::noinline]] static void Finished(const Hint* hint, uint64_t started,
                                         reduction::Variant* next,
                                         const MPI_Request* left) noexcept {
    const uint64_t returned = Clock::Now();
    if (!Recorder::Enter()) [[unlikely]] {
      return LateFinished(hint, started, returned, left);
    }
    FinishInFlight(left);
    return Follow({hint, started, returned}, next);
  }
  [[gnu::noinline]] static void FinishedOne(const Hint* hint, uint64_t started,
                                            reduction::Variant* next,
                                            const MPI_Request* left) noexcept {
    const uint64_t returned = Clock::Now();
    if (!Recorder::Enter()) [[unlikely]] {
      return LateFinished(hint, started, returned, left);
    }
    if (!RequestTable::IsSingle(hot.one) || left != nullptr) [[unlikely]] {
      return FinishedOther(hint, started, returned, left);
    }
    RequestTable::FinishSingle(hot.one);
    hot.NoneInFlight();
    return Follow({hint, started, returned}, next);
  }
  [[gnu::noinline]] static void FinishedOther(
      const Hint* hint, uint64_t started, uint64_t returned,
      const MPI_Request* left) noexcept {
    FinishInFlight(left);
    return Follow({hint, started, returned}, Recorder::Get()->folder.Next());
  }

  [[gnu::always_inline]] static void Follow(const MadeCall& made,
                                            reduction::Variant* next) {
    Recorder& r = *Recorder::Get();
    if (!r.folder.HasRoom()) [[unlikely]] {
      return FollowMakingRoom(made.hint, made.started_ticks,
                              made.returned_ticks);
    }
    r.folder.FollowInTicks(next, made.ComputeTicks(), made.CallTicks());
    r.Expect(next);
    hot.left_ticks = r.overhead.LeftAt(made.returned_ticks);
    const bool measure = r.folder.events() % Overhead::kEvery == 0;
    Recorder::Leave();
    if (EpochSliceIsDue(made.returned_ticks)) [[unlikely]] {
      return RunSliceAfterCall();
    }
    if (measure) [[unlikely]] {
      return MeasureOverhead(made.hint, made.returned_ticks);
    }
  }

  const Hint* hint_;
  uint64_t started_ticks_;
  reduction::Variant* next_;
};

}  // namespace ranksight::runtime
