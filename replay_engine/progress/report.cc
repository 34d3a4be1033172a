// Who waits for whom where nobody gets on.
#include <algorithm>

#include "reduction/api/canonical.h"
#include "replay_engine/progress/walker.h"

namespace ranksight::replay_engine {

Progress Walker::Report() const {
  Progress progress;
  progress.mismatch = meetings_.mismatch();
  const Rank* first = nullptr;
  for (const auto& rank : ranks_) {
    progress.events += rank->event - (rank->ended ? 0 : 1);
    if (rank->ended) continue;
    ++progress.standing;
    if (first == nullptr) first = rank.get();
  }
  progress.ends = first == nullptr;
  if (progress.ends) return progress;
  std::vector<int64_t> place(ranks_.size(), -1);
  for (const Rank* at = first; !at->ended;) {
    int64_t& seen = place[static_cast<size_t>(at->number)];
    if (seen >= 0) {
      progress.circle = true;
      progress.chain.erase(progress.chain.begin(),
                           progress.chain.begin() + seen);
      break;
    }
    seen = static_cast<int64_t>(progress.chain.size());
    progress.chain.push_back(Explain(*at));
    at = ranks_[static_cast<size_t>(progress.chain.back().on)].get();
  }
  return progress;
}

Standing Walker::Explain(const Rank& rank) const {
  Standing s;
  s.rank = rank.number;
  s.event = rank.event;
  s.site = rank.cursor.event().site;
  s.call = reduction::CanonicalText(rank.cursor.event());
  const auto waits = std::find_if(rank.waits.begin(), rank.waits.end(),
                                  [&](Id id) { return tasks_[id].waited; });
  const bool receives =
      rank.probing || tasks_[*waits].kind == Task::Kind::kReceive;
  const int64_t other =
      rank.probing ? rank.probing->source : tasks_[*waits].other;
  if (!rank.probing && tasks_[*waits].kind == Task::Kind::kMeeting) {
    s.on = Missing(tasks_[*waits]);
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
int64_t Walker::Missing(const Task& task) const {
  const auto missing = [&](int64_t member) {
    return meetings_.MadeBy(member, task.comm) <= task.number;
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

int64_t Walker::AnybodyElse(int64_t rank) const {
  for (const auto& other : ranks_) {
    if (other->number != rank && !other->ended) return other->number;
  }
  return rank == 0 && trace_.meta.ranks > 1 ? 1 : 0;
}

}  // namespace ranksight::replay_engine
