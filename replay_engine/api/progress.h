// Progress: whether all ranks of a trace get to their end, or calls wait for
// one another in a circle, found by walking all ranks at once without MPI.
//
// What is walked is what a replay would perform: messages go to receives in
// MPI's order, receives from any source take what they matched in the
// recording, collectives of a communicator meet in the order made. What MPI
// leaves to its library is taken at its worst, or, to see how much depends on
// it, at its best: whether a send waits for its receive, and whether a
// collective waits for ranks whose data it does not need.
//
// Not looked at: one-sided synchronisation, files, persistent collectives,
// processes that were spawned; their calls are taken not to wait. Where a
// receive stays open to any source, one order of arrival is tried, not all.
//
// Memory: a cursor for each rank, and what is outstanding. Complexity:
// O(events) but for receives from any source. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::replay_engine {

inline constexpr int64_t kNoBuffering = -1;
inline constexpr int64_t kAllBuffered = std::numeric_limits<int64_t>::max();

struct ProgressOptions {
  // Sends of up to so many bytes return before they are received, others with
  // their receive. kAllBuffered also takes it that collectives wait for
  // nobody whose data they do not need.
  int64_t buffered_bytes = kNoBuffering;
  double bytes_scale = 1;  // of the replay
  bool wildcards = false;  // of the replay
  // Threads that walk a part of the ranks each, or 0 for as many as pay. What
  // is found does not depend on it.
  size_t parts = 0;
  // Told now and then how much is walked, above 0, at most 1. Empty: nobody.
  std::function<void(double share)> tell_share = {};
};

// A rank in a call that does not return.
struct Standing {
  int64_t rank = 0;
  uint64_t event = 0;  // 1 is MPI_Init
  uint32_t site = 0;
  std::string call;  // canonical text
  int64_t on = 0;    // the rank waited for
  std::string why;   // "rank 5 to send"
};

struct Progress {
  bool ends = false;
  uint64_t events = 0;   // performed, over all ranks
  int64_t standing = 0;  // ranks that do not end
  // Where it does not end: ranks that wait each for the next one, and the last
  // for the first, or for a rank that has ended.
  std::vector<Standing> chain;
  bool circle = false;
  // Calls that were made in one collective and do not go together, such as
  // others than the root's in place, or "".
  std::string mismatch;
};

// kNo when the members of a communicator are not known; kBadInput when the
// trace contradicts itself.
reduction::Result<Progress> CheckProgress(const reduction::Trace& trace,
                                          const ProgressOptions& options);

}  // namespace ranksight::replay_engine
