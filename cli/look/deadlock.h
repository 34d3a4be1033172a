// Whether a trace's calls can wait for one another for ever, and what that
// takes of the MPI library.
// Thread-safety: pure functions but for what is printed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cli/base/work_options.h"
#include "cli/symbols/site_names.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"
#include "replay_engine/api/progress.h"

namespace ranksight::cli {

struct Deadlock {
  enum class Kind {
    kNone,         // ends whatever the library does
    kSends,        // ends where sends of up to `bytes` return early
    kCollectives,  // ends where collectives do not wait for all, too
    kAlways,       // never ends
  };
  Kind kind = Kind::kNone;
  int64_t bytes = 0;  // a power of two, kSends
  // The walk at its worst; at its best where even that does not end.
  replay_engine::Progress progress;
};

// As replay_engine::CheckProgress, at most nine walks of the trace.
// wildcards, bytes_scale: of the replay. tell_share: told how much of each walk
// is done.
reduction::Result<Deadlock> FindDeadlock(
    const reduction::Trace& trace, bool wildcards, double bytes_scale,
    const std::function<void(double share)>& tell_share = {});

// The same as a step of a command that shows its progress.
reduction::Result<Deadlock> LookForDeadlock(const reduction::Trace& trace,
                                            const WorkOptions& work);
// After a replay of `file` that did not get on: notes who waits for whom, where
// the trace says so.
void ExplainStall(const reduction::Trace& trace, const std::string& file,
                  const WorkOptions& work);

// For people and as a JSON document. ranks: of the trace.
std::string DeadlockText(const Deadlock& deadlock, int64_t ranks,
                         SiteNames* names);
std::string DeadlockJson(const Deadlock& deadlock, int64_t ranks,
                         SiteNames* names);

}  // namespace ranksight::cli
