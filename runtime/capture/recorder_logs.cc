// The recorder's side of the threads' logs.
#include <algorithm>

#include "runtime/capture/clock.h"
#include "runtime/capture/recorder.h"

namespace ranksight::runtime {

CallLog* Recorder::LogOfThread() {
  std::unique_ptr<CallLog>& log = hot.rest->log;
  if (log == nullptr) {
    log = std::make_unique<CallLog>(&hot);
    logs_.push_back(log.get());
  }
  return log.get();
}

// Takes what the logs hold, in the order of time. REQUIRES: mutex_ is held.
void Recorder::Drain(uint64_t until_ticks) {
  if (logs_.empty()) return;
  until_ticks = std::min(until_ticks, Clock::NowInOrder());
  // What ended before then, and what it waited for, is in the logs now.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (CallLog* log : logs_) log->Look();
  for (;;) {
    CallLog* first = nullptr;
    uint64_t stamp = UINT64_MAX, next = UINT64_MAX;
    for (CallLog* log : logs_) {
      const uint64_t its = log->NextStamp();
      if (its < stamp) {
        next = stamp;
        stamp = its;
        first = log;
      } else {
        next = std::min(next, its);
      }
    }
    if (first == nullptr || stamp > until_ticks) return;
    TakeRun(first, std::min(next, until_ticks));
  }
}

void Recorder::TakeRun(CallLog* log, uint64_t until_ticks) {
  if (last_holder_ != log->writer()) holds_in_a_row_ = 0;
  last_holder_ = log->writer();
  CallLog::Entry entry;
  while (log->NextStamp() <= until_ticks) {
    log->Read(&entry);
    ++holds_in_a_row_;
    try {
      Take(entry, log);
    } catch (...) {
      Fail("recorder_failed");
    }
  }
}

void Recorder::TakeClaim(const CallLog::Entry& entry, CallLog* log) {
  RequestTable& requests = tables.requests;
  requests.BeginCall();
  log->claimed.resize(entry.request_count);
  log->references.resize(entry.request_count);
  for (size_t i = 0; i < entry.request_count; ++i) {
    log->references[i] =
        requests.Reference(entry.requests[i], &log->claimed[i], log->writer());
  }
  for (const auto& held : log->claimed) requests.Claim(held);
}

// The event's requests are those claimed, counted from now, but for those that
// a call that failed has left: they are not finished after all.
void Recorder::FinishClaimed(const CallLog::Entry& entry, const CallLog& log) {
  RequestTable& requests = tables.requests;
  const bool failed = entry.kind == CallLog::Kind::kFailed;
  const MPI_Request* const left = failed ? entry.requests.data() : nullptr;
  std::vector<int64_t> passed = log.references;
  requests.CountFromNow(log.claimed, left, &passed);
  for (size_t i = 0; failed && i < log.claimed.size(); ++i) {
    if (left[i] != MPI_REQUEST_NULL) requests.Unclaim(log.claimed[i], nullptr);
  }
  reduction::SetRequests(passed, &entry.known->event);
}

void Recorder::Take(const CallLog::Entry& entry, CallLog* log) {
  using Kind = CallLog::Kind;
  if (entry.kind == Kind::kClaim) return TakeClaim(entry, log);
  if (entry.kind == Kind::kMade) {
    tables.requests.Add(entry.requests[0], false, log->writer());
  }
  if (entry.kind == Kind::kFinished || entry.kind == Kind::kFailed) {
    FinishClaimed(entry, *log);
  }
  reduction::Event& event = entry.known->event;
  Fold(&event, event.site, entry.compute_ticks,
       overhead.CallTicks(0, uint64_t(entry.call_ticks)));
}

}  // namespace ranksight::runtime
