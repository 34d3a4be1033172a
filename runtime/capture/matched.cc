// What receives and probes matched that asked for any source or any tag.
#include <algorithm>

#include "runtime/capture/arguments.h"

namespace ranksight::runtime {

void Arguments::NewReceive(const MPI_Request* request, bool persistent,
                           int peer, int tag, MPI_Comm comm) {
  NewRequest(request, persistent);
  if (failed_ || !AsksForAny(peer, tag)) return;
  tables_->requests.Choose(*request, Choice(comm));
}

// MPICH (4.0.2) leaves the status of MPI_Isendrecv as it is.
WorldRanksOfPeers Arguments::Choice(MPI_Comm comm) {
#if defined(MPICH_VERSION)
  using reduction::Call;
  if (event_.call() == Call::MPI_Isendrecv_ ||
      event_.call() == Call::MPI_Isendrecv_replace_) {
    return tables_->comms.Get(MPI_COMM_NULL).world_ranks;
  }
#endif
  return tables_->comms.Get(comm).world_ranks;
}

MPI_Status* Arguments::OrOwn(MPI_Status* given, int count) {
  if (given != MPI_STATUS_IGNORE && given != MPI_STATUSES_IGNORE) return given;
  statuses_.resize(size_t(std::max(count, 1)));
  return statuses_.data();
}

MPI_Status* Arguments::Statuses(MPI_Status* given) {
  for (size_t i = 0; i < held_.size(); ++i) {
    if (HasChoice(i)) return OrOwn(given, int(held_.size()));
  }
  return given;
}

Match MatchOfReceived(const WorldRanksOfPeers& peers,
                      const MPI_Status& status) {
  const bool is_unknown = peers != nullptr && peers->empty();
  // A request that was not active gives an empty status.
  if (is_unknown || status.MPI_SOURCE == MPI_ANY_SOURCE) {
    return {reduction::kNone, reduction::kNone};
  }
  return {CommTable::WorldRank(status.MPI_SOURCE, peers),
          status.MPI_TAG == MPI_ANY_TAG ? reduction::kNone : status.MPI_TAG};
}

Match MatchOf(const WorldRanksOfPeers& peers, const MPI_Status& status,
              bool failed_in_status) {
  if (peers != nullptr && peers->empty()) {
    return {reduction::kNone, reduction::kNone};
  }
  int cancelled = 0;
  const bool pending = failed_in_status && status.MPI_ERROR == MPI_ERR_PENDING;
  if (!pending) PMPI_Test_cancelled(&status, &cancelled);
  if (pending || cancelled != 0) return {reduction::kNone, reduction::kNone};
  return MatchOfReceived(peers, status);
}

void Arguments::AddMatched(const Match& match) {
  matched_.push_back(match.source);
  matched_tags_.push_back(match.tag);
}

void Arguments::EndMatched() {
  event_.Add(int64_t(matched_.size()));
  event_.AddArray(matched_);
  event_.AddArray(matched_tags_);
}

void Arguments::Matched(int peer, int tag, MPI_Comm comm,
                        const MPI_Status* status) {
  if (!failed_ && AsksForAny(peer, tag)) {
    AddMatched(MatchOfReceived(tables_->comms.Get(comm).world_ranks, *status));
  }
  EndMatched();
}

// In the order in which the event has the requests.
void Arguments::MatchedAll(const MPI_Status* statuses) {
  for (const size_t i : order_) {
    if (!failed_ && HasChoice(i) && !IsLeft(i))
      AddMatched(MatchOf(*choices_[i], statuses[i], failed_in_status_));
  }
  EndMatched();
}

void Arguments::MatchedAt(const int* indices, int count,
                          const MPI_Status* statuses) {
  for (const size_t at : order_) {
    if (failed_ || !HasChoice(at)) continue;
    const auto i = std::find(indices, indices + count, int(at)) - indices;
    if (i == count) continue;
    AddMatched(MatchOf(*choices_[at], statuses[i], failed_in_status_));
  }
  EndMatched();
}

}  // namespace ranksight::runtime
