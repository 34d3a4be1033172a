// A wrapped call that was predicted: what a wrapper does on the short way.
//
// The hint says what the event will be, so between the two readings of the
// clock and the program there are comparisons and two sketches, but no lock,
// no table and no allocation.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>

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
      same = table.Reference(requests[i], &held[i]) == hint->references[i];
    }
    Recorder::Leave();
    return same;
  }
};

class QuickCall {
 public:
  // Whether the call is the expected one, for all that is known before its
  // arguments. The hint's other members hold then.
  static bool Expected(const Hint* hint, reduction::Call call, void* caller,
                       void* frame) {
    return hint->IsCall(call, caller, frame) &&
           hint->changes == Meanings::Changes();
  }

  explicit QuickCall(const Hint* hint) : hint_(hint) {
    hot.expected = &kInside;
    started_ticks_ = Clock::Now();
  }
  QuickCall(const QuickCall&) = delete;
  QuickCall& operator=(const QuickCall&) = delete;

  // After the call.
  void Done() noexcept {
    returned_ticks_ = Clock::Now();
    if (!Recorder::Enter()) [[unlikely]] {
      Late(nullptr, nullptr, nullptr);
      return;
    }
    Follow();
    Leave();
  }
  // The same for one that made a request.
  void Made(int result, const MPI_Request* request) noexcept {
    returned_ticks_ = Clock::Now();
    const MPI_Request* made = result == MPI_SUCCESS ? request : nullptr;
    if (!Recorder::Enter()) [[unlikely]] {
      Late(made, nullptr, nullptr);
      return;
    }
    if (made != nullptr) Recorder::Get()->tables.requests.Add(*made, false);
    Follow();
    Leave();
  }
  // The same for one that finished requests, unless it failed.
  void Finished(int result, const MPI_Request* requests,
                const QuickRequests& held) noexcept {
    returned_ticks_ = Clock::Now();
    const MPI_Request* left = result == MPI_SUCCESS ? nullptr : requests;
    if (!Recorder::Enter()) [[unlikely]] {
      Late(nullptr, &held, left);
      return;
    }
    Finish(held, left);
    Follow();
    Leave();
  }

 private:
  // left: the requests after a call that failed; those gone are finished.
  static void Finish(const QuickRequests& held, const MPI_Request* left) {
    RequestTable& table = Recorder::Get()->tables.requests;
    for (size_t i = 0; i < held.count; ++i) {
      if (left == nullptr || left[i] == MPI_REQUEST_NULL) {
        table.Finish(held.held[i], false);
      }
    }
  }
  void Follow() {
    Recorder& r = *Recorder::Get();
    const auto compute = int64_t(started_ticks_ - hot.left_ticks);
    const auto call = int64_t(returned_ticks_ - started_ticks_);
    const uint64_t compute_ns = Clock::ToNs(compute - r.overhead.before());
    const uint64_t call_ns = Clock::ToNs(call - Clock::ReadingTicks());
    // Two ways that end differently: the usual one needs no registers kept.
    if (!r.folder.HasRoomFor(compute_ns, call_ns)) [[unlikely]] {
      FollowMakingRoom(compute_ns, call_ns);
      return;
    }
    r.folder.FollowInRoom(compute_ns, call_ns);
    r.Expect();
    hot.left_ticks = returned_ticks_ + uint64_t(r.overhead.after());
    if (r.folder.events() % Overhead::kEvery == 0) [[unlikely]]
      Measure();
  }
  void Leave() const {
    Recorder::Leave();
    if (returned_ticks_ >= next_epoch_slice.load(std::memory_order_relaxed))
        [[unlikely]] {
      Slice();
    }
  }
  [[gnu::noinline]] void FollowMakingRoom(uint64_t compute_ns,
                                          uint64_t call_ns) noexcept;
  // A slice of the merging while the program runs.
  [[gnu::noinline]] static void Slice();
  // What Follow and recognising a call have cost.
  [[gnu::noinline]] void Measure();
  // Another thread has taken the recorder meanwhile, or it was switched off.
  [[gnu::noinline]] void Late(const MPI_Request* made,
                              const QuickRequests* held,
                              const MPI_Request* left) noexcept;

  const Hint* hint_;
  uint64_t started_ticks_ = 0, returned_ticks_ = 0;
};

}  // namespace ranksight::runtime
