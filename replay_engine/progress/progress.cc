#include "replay_engine/api/progress.h"

#include "replay_engine/progress/walker.h"

namespace ranksight::replay_engine {

reduction::Result<Progress> CheckProgress(const reduction::Trace& trace,
                                          const ProgressOptions& options) {
  const auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  Walker walker(trace, *comms, options);
  return walker.Run();
}

}  // namespace ranksight::replay_engine
