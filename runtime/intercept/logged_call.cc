#include "runtime/intercept/logged_call.h"

#include <algorithm>

#include "runtime/epoch/epochs.h"

namespace ranksight::runtime {
namespace {

// The entry, to the recorder itself: the log is closed, since a thread owns
// the recorder or it was switched off.
void TakeLate(const CallLog::Entry& entry, CallLog* log) noexcept {
  Recorder* r = Recorder::Active();
  if (r == nullptr) return;
  try {
    const Hold hold(r);
    r->Take(entry, log);
  } catch (...) {
    r->Fail("recorder_failed");
  }
}

// Takes what is in the logs, if nobody else does.
void MakeRoom() noexcept {
  Recorder* r = Recorder::Active();
  if (r == nullptr || !r->TryLock()) return;
  r->Unlock();
}

}  // namespace

bool LoggedCall::BeginFinishing(const MPI_Request* requests,
                                int count) noexcept {
  if (known_ == nullptr || !log_->HasRoom() || count < 0 ||
      size_t(count) != known_->request_count ||
      Recorder::Get()->tables.requests.EverChose() || !Recorder::EnterLog()) {
    return false;
  }
  log_->Write(CallLog::Kind::kClaim, known_, Clock::NowInOrder(), 0, 0,
              {requests, size_t(count)});
  Recorder::Leave();
  hot.GoInside(known_->frame);
  return true;
}

void LoggedCall::Write(CallLog::Kind kind,
                       std::span<const MPI_Request> requests) const noexcept {
  const uint64_t returned = Clock::NowInOrder();
  const uint64_t since =
      hot.left_ticks != 0 ? hot.left_ticks : Recorder::Get()->started_ticks;
  const auto compute = int64_t(started_ticks_ - since);
  const auto took = int64_t(returned - started_ticks_);
  if (Recorder::EnterLog()) [[likely]] {
    log_->Write(kind, known_, returned, compute, took, requests);
    Recorder::Leave();
  } else {
    CallLog::Entry entry = {returned, known_,          kind, compute,
                            took,     requests.size(), {}};
    std::copy(requests.begin(), requests.end(), entry.requests.begin());
    TakeLate(entry, log_);
  }
  hot.rest->known.Came(known_);
  if (log_->IsHalfFull()) [[unlikely]]
    MakeRoom();
  // Having had the lock, the thread may own the recorder now.
  hot.expected = Recorder::Logs() ? &kLogging : &kNothing;
  if (SliceIsDue(returned)) [[unlikely]] {
    const Inside inside;
    RunSlice(false);
  }
  Recorder::Get()->Left();
}

}  // namespace ranksight::runtime
