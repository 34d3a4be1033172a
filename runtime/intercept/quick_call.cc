#include "runtime/intercept/quick_call.h"

#include <vector>

namespace ranksight::runtime {

void MeasureOverhead(const Hint* hint, uint64_t returned) noexcept {
  const uint64_t done = Clock::Now();
  // As a wrapper does, on the same data.
  bool same = hint->IsCall(hint->call, hint->caller, hint->frame);
  for (const uint64_t word : hint->raw) same = same && word != UINT64_MAX;
  asm volatile("" : : "r"(same) : "memory");
  const auto checking = int64_t(Clock::Now() - done) - Clock::ReadingTicks();
  if (!Recorder::Enter()) return;
  Recorder::Get()->overhead.Measured(checking, int64_t(done - returned));
  Recorder::Leave();
}

void FollowMakingRoom(const Hint* hint, const OpenValues* open,
                      uint64_t started, uint64_t returned) noexcept {
  Recorder& r = *Recorder::Get();
  const MadeCall made = {hint, open, started, returned};
  try {
    if (open == nullptr) {
      r.folder.SetTickNs(Clock::TickNs());
      r.folder.AddUpTicks();
      r.folder.FollowInTicks(r.folder.Next(), made.ComputeTicks(),
                             made.CallTicks());
    } else {
      r.FollowOpen({open->values.data(), open->count},
                   Clock::ToNs(made.ComputeTicks()),
                   Clock::ToNs(made.CallTicks()));
    }
    r.Expect();
  } catch (...) {
    r.Fail("recorder_failed");
    hot.expected = &kOutside;
  }
  Recorder::Leave();
  if (EpochSliceIsDue(returned)) RunSliceAfterCall();
  hot.left_ticks = Clock::Now();
}

void RunSliceAfterCall() noexcept {
  const Inside inside;
  RunEpochSlice(false);
  hot.left_ticks = Clock::Now();
}

void FinishRequests(const QuickRequests& held, const MPI_Request* left) {
  RequestTable& table = Recorder::Get()->tables.requests;
  for (size_t i = 0; i < held.count; ++i) {
    if (left == nullptr || left[i] == MPI_REQUEST_NULL) {
      table.Finish(held.held[i], false);
    }
  }
}

namespace {

void SetOpen(const Hint& hint, const OpenValues& open,
             reduction::Event* event) {
  std::vector<int64_t> values(event->values().begin(), event->values().end());
  const std::vector<uint32_t> offsets(event->offsets().begin(),
                                      event->offsets().end());
  size_t next = 0;
  for (size_t p = 0; hint.variant->open >> p != 0; ++p) {
    if ((hint.variant->open >> p & 1) != 0) {
      values[offsets[p]] = open.values[next++];
    }
  }
  event->Assign(event->call(), values, offsets);
}

// held: the requests it finished, if not nullptr; made: the one it made.
void FoldLate(const MadeCall& call, const MPI_Request* made,
              const QuickRequests* held, const MPI_Request* left) noexcept {
  Recorder* r = Recorder::Active();
  hot.expected = &kOutside;
  if (r == nullptr) return;
  try {
    const Hold hold(r);
    RequestTable& requests = r->tables.requests;
    reduction::Event event = reduction::Folder::EventOf(*call.hint->variant);
    if (call.open != nullptr) SetOpen(*call.hint, *call.open, &event);
    if (held != nullptr) {
      // Other threads may have made requests since these were counted from.
      const auto references = event.MutableArray(reduction::Param::kRequests);
      for (size_t i = 0; i < held->count; ++i) {
        if (held->held[i].number >= 0) {
          references[i] = requests.made() - held->held[i].number;
        }
      }
      FinishRequests(*held, left);
    }
    if (made != nullptr) requests.Add(*made, false);
    r->Fold(&event, event.site, int64_t(call.started_ticks - hot.left_ticks),
            int64_t(call.returned_ticks - call.started_ticks));
  } catch (...) {
    r->Fail("recorder_failed");
  }
  hot.left_ticks = Clock::Now();
}

}  // namespace

void Late(const Hint* hint, const OpenValues* open, uint64_t started,
          uint64_t returned, const MPI_Request* request) noexcept {
  FoldLate({hint, open, started, returned}, request, nullptr, nullptr);
}

void LateFinished(const Hint* hint, const OpenValues* open, uint64_t started,
                  uint64_t returned, const QuickRequests* held,
                  const MPI_Request* left) noexcept {
  FoldLate({hint, open, started, returned}, nullptr, held, left);
}

void LateFinished(const Hint* hint, const OpenValues* open, uint64_t started,
                  uint64_t returned, const QuickRequest* one,
                  const MPI_Request* left) noexcept {
  QuickRequests held;
  held.held[0] = one->held;
  held.count = 1;
  FoldLate({hint, open, started, returned}, nullptr, &held, left);
}

}  // namespace ranksight::runtime
