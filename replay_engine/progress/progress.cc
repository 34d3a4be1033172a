#include "replay_engine/api/progress.h"

#include <algorithm>
#include <thread>

#include "reduction/api/contract.h"
#include "replay_engine/api/alignment.h"
#include "replay_engine/progress/together.h"

namespace ranksight::replay_engine {
namespace {

// Of fewer ranks, starting threads and telling others takes longer.
constexpr int64_t kLeastOfPart = 64;

size_t PartsFor(int64_t ranks) {
  const int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  return size_t(std::clamp<int64_t>(ranks / kLeastOfPart, 1, cores));
}

}  // namespace

reduction::Result<Progress> CheckProgress(const reduction::Trace& trace,
                                          const ProgressOptions& options) {
  const auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  const size_t parts =
      options.parts > 0 ? options.parts : PartsFor(trace.meta.ranks);
  return Together(trace, *comms, options, parts).Run();
}

reduction::Result<Alignment> Align(const reduction::Trace& trace,
                                   bool wildcards, double bytes_scale) {
  RANKSIGHT_REQUIRE(bytes_scale > 0);
  const auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  std::string where;
  // First as if no send returned before it is received, for such an order holds
  // whatever the library does; then as if all did.
  for (const int64_t buffered : {kNoBuffering, kAllBuffered}) {
    Together walk(trace, *comms, {buffered, bytes_scale, wildcards, 1, {}}, 1);
    const reduction::Result<Progress> progress = walk.Run();
    if (!progress.ok()) return progress.status();
    if (progress->ends) return walk.TakeMatches();
    const Standing& first = progress->chain.front();
    where = "rank " + std::to_string(first.rank) + ", event " +
            std::to_string(first.event) + " (" + first.call + ") waits for " +
            first.why;
  }
  return reduction::Status::No(
      "receives from any source could not be aligned: " + where);
}

}  // namespace ranksight::replay_engine
