// A wrapped call that was predicted but brings values of its own: numbers
// that never repeat, or what a receive from any source or with any tag
// matched. As quick_call.h, with these values beside the prediction.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "runtime/intercept/quick_call.h"

namespace ranksight::runtime {

class OpenCall {
 public:
  // As QuickCall::Expected.
  static bool Expected(const Hint* hint, reduction::Call call, void* caller,
                       void* frame) {
    return hint->changes == Meanings::Changes() &&
           hint->IsOpenCall(call, caller, frame);
  }

  // Room for the statuses of a call that wants none but has something to
  // match. Not initialised.
  struct Statuses {
    MPI_Status own[OwnValues::kMostMatches];
    // given, if the program wants them or nothing is matched.
    MPI_Status* Or(MPI_Status* given, const Hint* hint) {
      const bool ignored =
          given == MPI_STATUS_IGNORE || given == MPI_STATUSES_IGNORE;
      return ignored && hint->match_count != 0 ? own : given;
    }
  };

  // own: its open values; gets its matches.
  OpenCall(const Hint* hint, uint64_t started, OwnValues* own)
      : hint_(hint), own_(own), started_ticks_(started) {
    OwnTime::Enter(started);
    hot.GoInside(hint->frame);
  }
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;

  // After the call.
  void Done(int result) const noexcept;
  // The same for a receive or probe.
  void Received(int result, const MPI_Status* status) const noexcept;
  // The same for one that made a request.
  void Made(int result, const MPI_Request* request) const noexcept;
  // The same for one that finished requests, those awaited. requests: as the
  // call left them.
  void Finished(int result, const MPI_Request* requests,
                const MPI_Status* statuses) const noexcept;

 private:
  MadeCall Returned() const { return {hint_, started_ticks_, Clock::Now()}; }
  void Follow(const MadeCall& made) const noexcept;
  void MatchAll(int result, const MPI_Request* requests,
                const MPI_Status* statuses) const;

  const Hint* hint_;
  OwnValues* own_;
  uint64_t started_ticks_;
};

}  // namespace ranksight::runtime
