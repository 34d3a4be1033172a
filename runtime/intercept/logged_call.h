// A wrapped call of a thread that is not alone, made before in the same way:
// it is written to the thread's log (capture/call_log.h), without a lock.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

#include "runtime/capture/call_log.h"
#include "runtime/capture/clock.h"
#include "runtime/capture/recorder.h"
#include "runtime/capture/thread.h"
#include "runtime/intercept/quick_call.h"

namespace ranksight::runtime {

class LoggedCall {
 public:
  // started: the clock as the wrapper was entered; words: as the wrapper
  // compares them. REQUIRES: the thread expects kLogging.
  template <class... Words>
  LoggedCall(reduction::Call call, void* caller, void* frame, uint64_t started,
             Words... words)
      : known_(hot.rest->known.Find(call, caller, frame, words...)),
        log_(hot.rest->log.get()),
        started_ticks_(started) {
    OwnTime::Enter(started);
  }
  LoggedCall(const LoggedCall&) = delete;
  LoggedCall& operator=(const LoggedCall&) = delete;

  // Whether it is known and may be written. For a call that makes or changes
  // no requests but the one it makes.
  bool Begin() const {
    if (known_ == nullptr || !log_->HasRoom()) return false;
    hot.GoInside(known_->frame);
    return true;
  }
  // The same for one that finishes with all of these, unless it fails. What
  // a request from any source has matched is looked at in full.
  bool BeginFinishing(const MPI_Request* requests, int count) noexcept;

  // After the call.
  void Done(int result) const noexcept {
    if (RefusedArguments(result)) {
      MadeNothing(result);
      return;
    }
    Write(CallLog::Kind::kDone, {});
  }
  void Made(int result, const MPI_Request* request) const noexcept {
    if (result != MPI_SUCCESS) {
      MadeNothing(result);
      return;
    }
    Write(CallLog::Kind::kMade, {request, 1});
  }
  void Finished(int result, const MPI_Request* requests) const noexcept {
    if (result == MPI_SUCCESS) return Write(CallLog::Kind::kFinished, {});
    Write(CallLog::Kind::kFailed, {requests, known_->request_count});
  }

 private:
  void Write(CallLog::Kind kind,
             std::span<const MPI_Request> requests) const noexcept;

  KnownCall* known_;
  CallLog* log_;
  uint64_t started_ticks_;
};

}  // namespace ranksight::runtime
