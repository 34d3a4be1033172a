#include "runtime/intercept/found_call.h"

#include <algorithm>

#include "runtime/intercept/record_and_leave.h"

namespace ranksight::runtime {
namespace {

// Adds what the request matched, if it had a choice. False where there are more
// than fit.
bool AddMatchOf(const RequestTable::Held& held, const MPI_Status& status,
                OwnValues* own) {
  const WorldRanksOfPeers* peers = RequestTable::ChoiceOf(held);
  if (peers == nullptr) return true;
  if (own->match_count == OwnValues::kMostMatches) return false;
  const Match match = MatchOf(*peers, status, false);
  own->AddMatch(match.source, match.tag);
  return true;
}

}  // namespace

FoundCall::FoundCall(const Poll& poll, void* caller, void* frame,
                     int index_count, const int* indices)
    : FoundCall(poll, caller, frame) {
  const bool fits =
      index_count >= 0 && size_t(index_count) <= QuickRequests::kMost;
  index_count_ = fits ? index_count : -1;
  if (!fits) return;
  indices_ = indices;
  std::copy(indices, indices + index_count, done_.begin());
  std::sort(done_.begin(), done_.begin() + index_count);
}

bool FoundCall::IsFound(const Hint& hint) const {
  const bool is_call = hint.IsCall(poll_.call(), caller_, frame_) ||
                       (hint.open_count == 0 && !hint.chooses &&
                        hint.IsOpenCall(poll_.call(), caller_, frame_));
  return is_call &&
         std::ranges::equal(done(), std::span(hint.done, hint.done_count));
}

bool FoundCall::FollowFinishing(std::span<const RequestTable::Held> finished,
                                const OwnValues& own) const noexcept {
  if (own.match_count != hint_->match_count || !Recorder::Enter()) return false;
  FinishRequests(finished, nullptr);
  const uint64_t started = poll_.started_ticks();
  const uint64_t returned = poll_.returned_ticks();
  RecordAndLeave([&](Recorder& r) {
    r.FollowOpen(own, int64_t(started - hot.left_ticks),
                 int64_t(returned - started) - Clock::ReadingTicks());
    r.Expect();
  });
  LeaveCall(returned);
  return true;
}

bool FoundCall::FollowFinished(int count,
                               const MPI_Status* statuses) const noexcept {
  if (!QuickRequests::MatchReferences(hint_, poll_.kept(), count)) return false;
  const auto held = QuickRequests::Held(size_t(count));
  OwnValues own;
  for (size_t i = 0; i < held.size(); ++i) {
    if (!AddMatchOf(held[i], statuses[i], &own)) return false;
  }
  return FollowFinishing(held, own);
}

bool FoundCall::FollowFinishedAt(int count,
                                 const MPI_Status* statuses) const noexcept {
  if (!QuickRequests::MatchReferences(hint_, poll_.kept(), count)) return false;
  std::array<RequestTable::Held, QuickRequests::kMost> finished;
  OwnValues own;
  for (size_t i = 0; i < done().size(); ++i) {
    const int index = done_[i];
    finished[i] = hot.rest->held[size_t(index)];
    const auto status = std::find(indices_, indices_ + index_count_, index);
    if (!AddMatchOf(finished[i], statuses[status - indices_], &own)) {
      return false;
    }
  }
  return FollowFinishing({finished.data(), done().size()}, own);
}

}  // namespace ranksight::runtime
