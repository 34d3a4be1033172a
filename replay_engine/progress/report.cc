// Who waits for whom where nobody gets on.
#include <algorithm>

#include "reduction/api/canonical.h"
#include "reduction/api/contract.h"
#include "replay_engine/progress/together.h"

namespace ranksight::replay_engine {

Progress Together::Report() const {
  Progress progress;
  progress.mismatch = shared_->meetings.mismatch();
  const Walker::Rank* first = nullptr;
  for (int64_t r = 0; r < trace_.meta.ranks; ++r) {
    const Walker::Rank& rank = RankAt(r);
    progress.events += rank.event - (rank.ended ? 0 : 1);
    if (rank.ended) continue;
    ++progress.standing;
    if (first == nullptr) first = &rank;
  }
  progress.ends = first == nullptr;
  if (progress.ends) return progress;
  // From the first rank that stands to the one that it waits for, and so on,
  // until one has ended or comes again: then the circle is all that is told.
  std::vector<int64_t> place(size_t(trace_.meta.ranks), -1);
  for (const Walker::Rank* at = first; !at->ended;) {
    int64_t& seen = place[static_cast<size_t>(at->number)];
    if (seen >= 0) {
      progress.circle = true;
      progress.chain.erase(progress.chain.begin(),
                           progress.chain.begin() + seen);
      break;
    }
    seen = static_cast<int64_t>(progress.chain.size());
    progress.chain.push_back(Explain(*at));
    at = &RankAt(progress.chain.back().on);
  }
  return progress;
}

Standing Together::Explain(const Walker::Rank& rank) const {
  Standing s;
  s.rank = rank.number;
  s.event = rank.event;
  s.site = rank.cursor.event().site;
  s.call = reduction::CanonicalText(rank.cursor.event());
  const Walker::Task* task = nullptr;
  // The first that is still open is what it waits for.
  for (const Walker::Id id : rank.waits) {
    if (task == nullptr && TaskOf(rank, id).waited) task = &TaskOf(rank, id);
  }
  using Kind = Walker::Task::Kind;
  const bool receives = rank.probing || task->kind == Kind::kReceive;
  const int64_t other = rank.probing ? rank.probing->source : task->other;
  if (!rank.probing && task->kind == Kind::kMeeting) {
    s.on = Missing(*task);
    s.why = "rank " + std::to_string(s.on) + " to make the same call";
  } else if (other == reduction::kPeerAny) {
    s.on = AnybodyElse(rank.number);
    s.why = "any rank to send";
  } else {
    s.on = other;
    s.why = "rank " + std::to_string(s.on) +
            (receives ? " to send" : " to receive");
  }
  return s;
}

// The first member that has not come.
int64_t Together::Missing(const Walker::Task& task) const {
  const auto missing = [&](int64_t member) {
    return shared_->meetings.MadeBy(member, task.comm) <= task.number;
  };
  if (task.comm > 0) {
    for (const auto& comm : comms_.all()) {
      if (comm->id != task.comm) continue;
      const auto at =
          std::find_if(comm->members.begin(), comm->members.end(), missing);
      if (at != comm->members.end()) return *at;
    }
  }
  for (int64_t rank = 0; rank < trace_.meta.ranks; ++rank) {
    if (missing(rank)) return rank;
  }
  return task.rank;
}

int64_t Together::AnybodyElse(int64_t rank) const {
  for (int64_t r = 0; r < trace_.meta.ranks; ++r) {
    if (r != rank && !RankAt(r).ended) return r;
  }
  return rank == 0 && trace_.meta.ranks > 1 ? 1 : 0;
}

const Walker::Rank& Together::RankAt(int64_t rank) const {
  RANKSIGHT_REQUIRE(rank >= 0);
  const size_t part = shared_->PartOf(rank);
  return *walkers_[part]->ranks()[size_t(rank - int64_t(part) * shared_->each)];
}

// Of the rank's own.
const Walker::Task& Together::TaskOf(const Walker::Rank& rank,
                                     Walker::Id id) const {
  return walkers_[shared_->PartOf(rank.number)]->TaskOf(id);
}

}  // namespace ranksight::replay_engine
