#include "runtime/intercept/quick_call.h"

namespace ranksight::runtime {

void QuickCall::Measure() {
  const uint64_t done = Clock::Now();
  // As a wrapper does, on the same data.
  bool same = hint_->IsCall(hint_->call, hint_->caller, hint_->frame);
  for (const uint64_t word : hint_->raw) same = same && word != UINT64_MAX;
  asm volatile("" : : "r"(same) : "memory");
  const auto checking = int64_t(Clock::Now() - done) - Clock::ReadingTicks();
  Recorder::Get()->overhead.Measured(checking, int64_t(done - returned_ticks_));
}

void QuickCall::FollowMakingRoom(uint64_t compute_ns,
                                 uint64_t call_ns) noexcept {
  Recorder& r = *Recorder::Get();
  try {
    r.folder.Follow(compute_ns, call_ns);
    r.Expect();
  } catch (...) {
    r.Fail("recorder_failed");
    hot.expected = &kOutside;
  }
  hot.left_ticks = Clock::Now();
}

void QuickCall::Slice() {
  const Inside inside;
  RunEpochSlice(false);
  hot.left_ticks = Clock::Now();
}

void QuickCall::Late(const MPI_Request* made, const QuickRequests* held,
                     const MPI_Request* left) noexcept {
  Recorder* r = Recorder::Active();
  hot.expected = &kOutside;
  if (r == nullptr) return;
  try {
    const Hold hold(r);
    RequestTable& requests = r->tables.requests;
    reduction::Event event = reduction::Folder::EventOf(*hint_->variant);
    if (held != nullptr) {
      // Other threads may have made requests since these were counted from.
      const auto references = event.MutableArray(reduction::Param::kRequests);
      for (size_t i = 0; i < held->count; ++i) {
        if (held->held[i].number >= 0) {
          references[i] = requests.made() - held->held[i].number;
        }
      }
      Finish(*held, left);
    }
    if (made != nullptr) requests.Add(*made, false);
    r->Fold(&event, event.site, int64_t(started_ticks_ - hot.left_ticks),
            int64_t(returned_ticks_ - started_ticks_));
  } catch (...) {
    r->Fail("recorder_failed");
  }
  hot.left_ticks = Clock::Now();
}

}  // namespace ranksight::runtime
