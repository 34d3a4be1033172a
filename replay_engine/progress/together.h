// Together: all ranks of a trace walked at once, in parts, each on a thread of
// its own. Which rank goes on first makes no difference, so that any number of
// parts finds the same. Where it does make one, at receives from any source and
// where calls that do not go together are to be named, one part walks them all.
//
// Thread-safety: one object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "reduction/api/communicators.h"
#include "replay_engine/api/alignment.h"
#include "replay_engine/api/progress.h"
#include "replay_engine/progress/walker.h"

namespace ranksight::replay_engine {

class Together {
 public:
  // parts: at least one; what is found does not depend on it.
  // REQUIRES: trace and comms outlive it.
  Together(const reduction::Trace& trace, const reduction::Communicators& comms,
           const ProgressOptions& options, size_t parts);
  reduction::Result<Progress> Run();
  // What open receives and probes matched. REQUIRES: Run() ended well, with
  // one part.
  Alignment TakeMatches() { return walkers_[0]->TakeMatches(); }

 private:
  reduction::Result<Progress> RunIn(size_t parts);
  reduction::Status OpenRanks(uint64_t opening);
  // False where not all threads could be started: then nothing is found.
  bool WalkAll(uint64_t opening, std::vector<reduction::Status>* status);
  void Tell(double done);

  Progress Report() const;
  Standing Explain(const Walker::Rank& rank) const;
  int64_t Missing(const Walker::Task& task) const;
  int64_t AnybodyElse(int64_t rank) const;
  const Walker::Rank& RankAt(int64_t rank) const;
  const Walker::Task& TaskOf(const Walker::Rank& rank, Walker::Id id) const;

  const reduction::Trace& trace_;
  const reduction::Communicators& comms_;
  const ProgressOptions options_;
  const size_t parts_;
  uint64_t all_ = 1;  // events, and what opening the ranks counts
  double told_ = 0;   // of these
  std::unique_ptr<Walker::Shared> shared_;
  std::vector<std::unique_ptr<Walker>> walkers_;  // by part
};

}  // namespace ranksight::replay_engine
