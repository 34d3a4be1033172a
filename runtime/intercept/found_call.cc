#include "runtime/intercept/found_call.h"

#include <algorithm>
#include <array>

#include "runtime/intercept/record_and_leave.h"

namespace ranksight::runtime {

bool FoundCall::FollowFinishing(
    std::span<const RequestTable::Held> finished) const noexcept {
  if (!Recorder::Enter()) return false;
  FinishRequests(finished, nullptr);
  const uint64_t started = poll_.started_ticks();
  const uint64_t returned = poll_.returned_ticks();
  RecordAndLeave([&](Recorder& r) {
    r.Follow(int64_t(started - hot.left_ticks),
             int64_t(returned - started) - Clock::ReadingTicks());
    r.Expect();
  });
  LeaveCall(returned);
  return true;
}

bool FoundCall::FollowFinished(int count) const noexcept {
  const MPI_Request* requests = poll_.kept();
  if (count == 1) {
    return QuickRequest::Match(hint_, requests) &&
           FollowFinishing({&hot.one, 1});
  }
  return QuickRequests::Match(hint_, requests, count) &&
         FollowFinishing(QuickRequests::Held(size_t(count)));
}

bool FoundCall::FollowFinishedAt(int count, const int* indices,
                                 int index_count) const noexcept {
  if (index_count < 0 || size_t(index_count) != hint_->done_count ||
      size_t(index_count) > QuickRequests::kMost ||
      !QuickRequests::Match(hint_, poll_.kept(), count)) {
    return false;
  }
  std::array<int, QuickRequests::kMost> sorted;
  int* const end = std::copy(indices, indices + index_count, sorted.begin());
  std::sort(sorted.begin(), end);
  if (!std::equal(sorted.begin(), end, hint_->done)) return false;
  std::array<RequestTable::Held, QuickRequests::kMost> finished;
  std::transform(sorted.begin(), end, finished.begin(),
                 [&](int index) { return hot.rest->held[size_t(index)]; });
  return FollowFinishing({finished.data(), size_t(index_count)});
}

}  // namespace ranksight::runtime
