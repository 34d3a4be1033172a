// A wrapped call that was predicted: what a wrapper does on the short way.
//
// The hint says what the event will be, so between the two readings of the
// clock and the program there are comparisons and two sketches, but no lock,
// no table and no allocation.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>

#include "runtime/capture/clock.h"
#include "runtime/capture/recorder.h"
#include "runtime/capture/thread.h"
#include "runtime/epoch/epochs.h"

namespace ranksight::runtime {

// The requests of a predicted call, as the table knows them.
struct QuickRequests {
  // More take the long way.
  static constexpr size_t kMost = 64;
  std::array<RequestTable::Held, kMost> held;
  size_t count = 0;

  std::span<const RequestTable::Held> all() const {
    return {held.data(), count};
  }
  // Whether the requests are those of the hint.
  bool Match(const Hint* hint, const MPI_Request* requests, int n) {
    if (n < 0 || size_t(n) != hint->request_count || size_t(n) > kMost ||
        !Recorder::Enter()) {
      return false;
    }
    count = size_t(n);
    RequestTable& table = Recorder::Get()->tables.requests;
    table.BeginCall();
    bool same = true;
    for (size_t i = 0; i < count && same; ++i) {
      same =
          table.Reference(requests[i], &held[i], &hot) == hint->references[i];
    }
    same = same && Choices(table) == hint->match_count;
    Recorder::Leave();
    return same;
  }

 private:
  // How many receive from any source or with any tag.
  size_t Choices(const RequestTable& table) const {
    if (!table.HasChoices()) [[likely]]
      return 0;
    size_t n = 0;
    for (const auto& h : all()) n += RequestTable::ChoiceOf(h) != nullptr;
    return n;
  }
};

// The same for a call with a single one.
struct QuickRequest {
  RequestTable::Held held;

  std::span<const RequestTable::Held> all() const { return {&held, 1}; }

  bool Match(const Hint* hint, const MPI_Request* request) {
    if (hint->request_count != 1 || !Recorder::Enter()) return false;
    const RequestTable& table = Recorder::Get()->tables.requests;
    bool same = table.Matches(*request, hint->references[0], &held);
    same = same &&
           size_t{RequestTable::ChoiceOf(held) != nullptr} == hint->match_count;
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
// The same when it finished requests. left: those of a call that failed; the
// ones gone are finished.
void LateFinished(const Hint* hint, uint64_t started, uint64_t returned,
                  const QuickRequests* held, const MPI_Request* left) noexcept;
void LateFinished(const Hint* hint, uint64_t started, uint64_t returned,
                  const QuickRequest* one, const MPI_Request* left) noexcept;
// What recording and recognising a call have cost.
void MeasureOverhead(const Hint* hint, uint64_t returned) noexcept;
// A slice of the merging while the program runs.
void RunSliceAfterCall() noexcept;

// After a call. left: see LateFinished.
void FinishRequests(std::span<const RequestTable::Held> held,
                    const MPI_Request* left);

// Looks at a call that was predicted as one that was not. own: what it brings,
// if anything; made: the request it made; held: those it finished, left: see
// LateFinished. nullptr and none where there is nothing.
void FoldLate(const MadeCall& call, const OwnValues* own,
              const MPI_Request* made, std::span<const RequestTable::Held> held,
              const MPI_Request* left) noexcept;

// Between the two readings of the clock a wrapper holds nothing but the hint
// and the first of them. What follows the second is one function, whose rare
// ends are its last calls, so that it need not keep any register.
class QuickCall {
 public:
  // Whether the call is the expected one, for all that is known before its
  // arguments. The hint's other members hold then.
  static bool Expected(const Hint* hint, reduction::Call call, void* caller,
                       void* frame) {
    // First whether it is of this thread: it names places on its stack.
    return hint->changes == Meanings::Changes() &&
           hint->IsCall(call, caller, frame);
  }

  // started: the clock as the wrapper was entered. Reading it waits for all
  // that came before, so recognising the call comes after it, beside the call
  // itself, and so does the look at what comes next.
  QuickCall(const Hint* hint, uint64_t started)
      : hint_(hint),
        started_ticks_(started),
        next_(Recorder::Get()->folder.Next()) {
    hot.expected = &kInside;
  }
  QuickCall(const QuickCall&) = delete;
  QuickCall& operator=(const QuickCall&) = delete;

  // After the call.
  void Done() const { Done(hint_, started_ticks_, next_); }
  // The same for one that made a request.
  void Made(int result, const MPI_Request* request) const {
    Made(hint_, started_ticks_, next_,
         result == MPI_SUCCESS ? request : nullptr);
  }
  // The same for one that finished requests, unless it failed.
  void Finished(int result, const MPI_Request* requests,
                const QuickRequests& held) const {
    Finished(hint_, started_ticks_, next_,
             result == MPI_SUCCESS ? nullptr : requests, &held);
  }
  void Finished(int result, const MPI_Request* request,
                const QuickRequest& one) const {
    Finished(hint_, started_ticks_, next_,
             result == MPI_SUCCESS ? nullptr : request, &one);
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
    if (request != nullptr) {
      Recorder::Get()->tables.requests.Add(*request, false, &hot);
    }
    return Follow({hint, started, returned}, next);
  }
  [[gnu::noinline]] static void Finished(const Hint* hint, uint64_t started,
                                         reduction::Variant* next,
                                         const MPI_Request* left,
                                         const QuickRequests* held) noexcept {
    const uint64_t returned = Clock::Now();
    if (!Recorder::Enter()) [[unlikely]] {
      return LateFinished(hint, started, returned, held, left);
    }
    FinishRequests(held->all(), left);
    return Follow({hint, started, returned}, next);
  }
  [[gnu::noinline]] static void Finished(const Hint* hint, uint64_t started,
                                         reduction::Variant* next,
                                         const MPI_Request* left,
                                         const QuickRequest* one) noexcept {
    const uint64_t returned = Clock::Now();
    if (!Recorder::Enter()) [[unlikely]] {
      return LateFinished(hint, started, returned, one, left);
    }
    if (!RequestTable::IsSingle(one->held) || left != nullptr) [[unlikely]] {
      return FinishedOther(hint, started, returned, left, one);
    }
    RequestTable::FinishSingle(one->held);
    return Follow({hint, started, returned}, next);
  }
  [[gnu::noinline]] static void FinishedOther(
      const Hint* hint, uint64_t started, uint64_t returned,
      const MPI_Request* left, const QuickRequest* one) noexcept {
    FinishRequests(one->all(), left);
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
