#include "runtime/intercept/open_call.h"

#include "runtime/intercept/record_and_leave.h"

namespace ranksight::runtime {

// Leaves the recorder.
void OpenCall::Follow(const MadeCall& made) const noexcept {
  RecordAndLeave([&](Recorder& r) {
    r.FollowOpen(*own_, made.ComputeTicks(), made.CallTicks());
    r.Expect();
  });
  LeaveCall(made.returned_ticks);
}

void OpenCall::Done(int result) const noexcept {
  const MadeCall made = Returned();
  if (RefusedArguments(result)) [[unlikely]] {
    MadeNothing(result);
    return;
  }
  if (!Recorder::Enter()) [[unlikely]] {
    return FoldLate(made, own_, nullptr, nullptr);
  }
  Follow(made);
}

void OpenCall::Received(int result, const MPI_Status* status) const noexcept {
  const MadeCall made = Returned();
  if (RefusedArguments(result)) [[unlikely]] {
    MadeNothing(result);
    return;
  }
  if (hint_->chooses && result == MPI_SUCCESS) [[likely]] {
    own_->AddMatch(CommTable::WorldRank(status->MPI_SOURCE, hint_->peers),
                   status->MPI_TAG);
  }
  const bool as_ever = own_->match_count == hint_->match_count;
  if (!as_ever || !Recorder::Enter()) [[unlikely]] {
    return FoldLate(made, own_, nullptr, nullptr);
  }
  Follow(made);
}

void OpenCall::Made(int result, const MPI_Request* request) const noexcept {
  const MadeCall made = Returned();
  if (result != MPI_SUCCESS) [[unlikely]] {
    MadeNothing(result);
    return;
  }
  if (!Recorder::Enter()) [[unlikely]] {
    return FoldLate(made, own_, request, nullptr);
  }
  RequestTable& requests = Recorder::Get()->tables.requests;
  requests.Add(*request, false, &hot);
  if (hint_->chooses) requests.Choose(*request, hint_->peers);
  Follow(made);
}

// REQUIRES: the recorder's lock. Those that failed are left out, as are
// requests that the call has left, and the matches of one of which nothing is
// known.
void OpenCall::MatchAll(int result, const MPI_Request* requests,
                        const MPI_Status* statuses) const {
  int error_class = MPI_SUCCESS;
  if (result != MPI_SUCCESS) PMPI_Error_class(result, &error_class);
  const bool in_status = error_class == MPI_ERR_IN_STATUS;
  if (error_class != MPI_SUCCESS && !in_status) return;
  const auto held = hot.InFlight();
  for (const size_t i : hint_->order) {
    if (i >= held.size()) continue;
    const auto& kept = hot.rest->choices[i];
    const auto* peers = !hot.claimed ? RequestTable::ChoiceOf(held[i])
                        : kept       ? &*kept
                                     : nullptr;
    const bool is_left = requests[i] != MPI_REQUEST_NULL && held[i].number >= 0;
    if (peers == nullptr || is_left) continue;
    const Match match = MatchOf(*peers, statuses[i], in_status);
    own_->AddMatch(match.source, match.tag);
  }
}

void OpenCall::Finished(int result, const MPI_Request* requests,
                        const MPI_Status* statuses) const noexcept {
  const MadeCall made = Returned();
  const MPI_Request* left = result == MPI_SUCCESS ? nullptr : requests;
  if (Recorder* r = Recorder::Active(); r != nullptr) {
    const Hold hold(r);
    MatchAll(result, requests, statuses);
  }
  const bool as_ever =
      left == nullptr && own_->match_count == hint_->match_count;
  if (!as_ever || !Recorder::Enter()) [[unlikely]] {
    return FoldLate(made, own_, nullptr, left);
  }
  FinishInFlight();
  Follow(made);
}

}  // namespace ranksight::runtime
