#include "runtime/intercept/quick_call.h"

#include <vector>

#include "runtime/intercept/record_and_leave.h"

namespace ranksight::runtime {

namespace {

// What recording and recognising a call have cost.
void MeasureOverhead(uint64_t returned) {
  const uint64_t done = Clock::Now();
  const Hint* hint = hot.made;
  // As a wrapper does, on the same data.
  bool same = hint->IsCall(hint->call, hint->caller, hint->frame);
  for (const uint64_t word : hint->raw) same = same && word != UINT64_MAX;
  asm volatile("" : : "r"(same) : "memory");
  const auto checking = int64_t(Clock::Now() - done) - Clock::ReadingTicks();
  if (!Recorder::Enter()) return;
  Recorder::Get()->overhead.Measured(checking, int64_t(done - returned));
  Recorder::Leave();
}

}  // namespace

int AtStop(int result, uint64_t returned) noexcept {
  const bool measure = Recorder::Get()->folder.HasRoom();
  RecordAndLeave([](Recorder& r) { r.GoOn(); });
  if (measure) {
    MeasureOverhead(returned);
  } else {
    LeaveCall(returned);
  }
  return result;
}

int RunSliceAfterCall(int result) noexcept {
  const Inside inside;
  RunSlice(false);
  OwnTime::Leave(Clock::Now());
  return result;
}

void FinishRequests(std::span<const RequestTable::Held> held,
                    const MPI_Request* left) {
  RequestTable& table = Recorder::Get()->tables.requests;
  for (size_t i = 0; i < held.size(); ++i) {
    if (left == nullptr || left[i] == MPI_REQUEST_NULL) {
      table.Finish(held[i], false);
    }
  }
}

namespace {

// Puts the values that the call brings into its variant's event.
void SetOwn(const Hint& hint, const OwnValues& own, reduction::Event* event) {
  using reduction::Param;
  const reduction::Event variant = *event;
  const auto params = reduction::Info(hint.call).params;
  event->Reset(hint.call);
  size_t next = 0;
  for (size_t p = 0; p < params.size(); ++p) {
    if (params[p] == Param::kMatchCount) {
      event->Add(int64_t(own.match_count));
    } else if (params[p] == Param::kMatched ||
               params[p] == Param::kMatchedTags) {
      std::vector<int64_t> half;
      const size_t first = params[p] == Param::kMatched ? 0 : 1;
      for (size_t i = 0; i < own.match_count; ++i) {
        half.push_back(own.matches[2 * i + first]);
      }
      event->AddArray(half);
    } else if ((hint.variant->open >> p & 1) != 0) {
      event->Add(own.open[next++]);
    } else if (reduction::IsArray(params[p])) {
      event->AddArray(variant.ValuesAt(int(p)));
    } else {
      event->Add(variant.ValuesAt(int(p))[0]);
    }
  }
}

// Once whoever took the recorder has claimed them.
void FinishClaimed(std::span<const RequestTable::Held> held,
                   const MPI_Request* left, RequestTable* requests) {
  if (left == nullptr) return;
  for (size_t i = 0; i < held.size(); ++i) {
    const auto& choice = hot.rest->choices[i];
    if (left[i] != MPI_REQUEST_NULL) {
      requests->Unclaim(held[i], choice ? &*choice : nullptr);
    }
  }
}

// REQUIRES: the recorder's lock.
void Fold(const MadeCall& call, const OwnValues* own, const MPI_Request* made,
          const MPI_Request* left, Recorder* r) {
  RequestTable& requests = r->tables.requests;
  reduction::Event event = reduction::Folder::EventOf(*call.hint->variant);
  const uint32_t site = event.site;
  if (own != nullptr) SetOwn(*call.hint, *own, &event);
  if (const auto held = hot.InFlight(); !held.empty()) {
    std::vector<int64_t> passed = call.hint->references;
    requests.CountFromNow(held, left, &passed);
    reduction::SetRequests(passed, &event);
    if (hot.claimed) {
      FinishClaimed(held, left, &requests);
    } else {
      FinishRequests(held, left);
    }
  }
  if (made != nullptr) {
    requests.Add(*made, false, &hot);
    if (call.hint->chooses) requests.Choose(*made, call.hint->peers);
  }
  r->Fold(&event, site, int64_t(call.started_ticks - hot.left_ticks),
          int64_t(call.returned_ticks - call.started_ticks));
}

}  // namespace

void FoldLate(const MadeCall& call, const OwnValues* own,
              const MPI_Request* made, const MPI_Request* left) noexcept {
  Recorder* r = Recorder::Active();
  hot.expected = &kOutside;
  try {
    if (r != nullptr) {
      const Hold hold(r);
      Fold(call, own, made, left, r);
    }
  } catch (...) {
    r->Fail("recorder_failed");
  }
  hot.SetInFlight(0);
  hot.claimed = false;
  if (r != nullptr) r->Left();
}

int MadeNothing(int result) noexcept {
  hot.expected = &kOutside;
  if (Recorder* r = Recorder::Active(); r != nullptr) {
    const Hold hold(r);
    r->LeaveOutFailed();
  }
  return result;
}

int Failed(int result, uint64_t returned) noexcept {
  return RefusedArguments(result) ? MadeNothing(result)
                                  : Late(result, returned, nullptr);
}

int Late(int result, uint64_t returned, const MPI_Request* request) noexcept {
  FoldLate({hot.made, hot.started_ticks, returned}, nullptr, request, nullptr);
  return result;
}

int LateFinished(int result, uint64_t returned,
                 const MPI_Request* left) noexcept {
  FoldLate({hot.made, hot.started_ticks, returned}, nullptr, nullptr, left);
  return result;
}

}  // namespace ranksight::runtime
