#include "replay_engine/api/progress.h"

#include "replay_engine/api/alignment.h"
#include "replay_engine/progress/walker.h"

namespace ranksight::replay_engine {

reduction::Result<Progress> CheckProgress(const reduction::Trace& trace,
                                          const ProgressOptions& options) {
  const auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  Walker walker(trace, *comms, options);
  return walker.Run();
}

reduction::Result<Alignment> Align(const reduction::Trace& trace,
                                   bool wildcards, double bytes_scale) {
  const auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  std::string where;
  for (const int64_t buffered : {kNoBuffering, kAllBuffered}) {
    Walker walker(trace, *comms, {buffered, bytes_scale, wildcards, {}});
    const reduction::Result<Progress> progress = walker.Run();
    if (!progress.ok()) return progress.status();
    if (progress->ends) return walker.TakeMatches();
    const Standing& first = progress->chain.front();
    where = "rank " + std::to_string(first.rank) + ", event " +
            std::to_string(first.event) + " (" + first.call + ") waits for " +
            first.why;
  }
  return reduction::Status::No(
      "receives from any source could not be aligned: " + where);
}

}  // namespace ranksight::replay_engine
