#include "runtime/intercept/found_call.h"

#include <algorithm>
#include <numeric>

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
  indices_ = indices;
}

bool FoundCall::IsFound(const Hint& hint) const {
  const bool is_call = hint.IsCall(poll_.call(), caller_, frame_) ||
                       (hint.open_count == 0 && !hint.chooses &&
                        hint.IsOpenCall(poll_.call(), caller_, frame_));
  return is_call && done().size() == hint.done_count;
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
  for (const size_t i : hint_->order) {
    if (!AddMatchOf(held[i], statuses[i], &own)) return false;
  }
  return FollowFinishing(held, own);
}

bool FoundCall::FollowFinishedAt(int count,
                                 const MPI_Status* statuses) const noexcept {
  if (!QuickRequests::LookUp(poll_.kept(), count)) return false;
  const auto held = QuickRequests::Held(size_t(count));
  // Of those that it finished with, in the order of their references: places
  // among the indices.
  std::array<size_t, QuickRequests::kMost> order;
  const std::span<size_t> places(order.data(), done().size());
  std::iota(places.begin(), places.end(), size_t{0});
  const auto reference = [&](size_t place) {
    return hot.rest->passed[size_t(indices_[place])];
  };
  std::sort(places.begin(), places.end(),
            [&](size_t a, size_t b) { return reference(a) > reference(b); });
  std::array<RequestTable::Held, QuickRequests::kMost> finished;
  OwnValues own;
  for (const size_t place : places) {
    const auto index = size_t(indices_[place]);
    if (index >= held.size()) return false;
    // Of one that is none the event says nothing.
    if (reference(place) == reduction::kRequestNull && indices_ != kOnly) {
      return false;
    }
    finished[own.completed_count] = held[index];
    own.completed[own.completed_count++] = reference(place);
    if (!AddMatchOf(held[index], statuses[place], &own)) return false;
  }
  return FollowFinishing({finished.data(), places.size()}, own);
}

}  // namespace ranksight::runtime
