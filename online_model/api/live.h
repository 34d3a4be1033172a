// What a side-car sees of runs that are under way.
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "online_model/api/sender.h"

namespace ranksight::online_model {

struct LiveRun {
  enum class State : uint8_t { kReceiving, kStoring, kStored };
  std::string job, program, build_id;
  std::map<std::string, std::string> params;
  int64_t ranks = 0;
  Sender sender;
  State state = State::kReceiving;
  uint64_t segments = 0, bytes = 0;  // received
  uint64_t epochs = 0;               // what they made up, before the end
  int64_t started_unix_ms = 0;       // the hello
  int64_t heard_unix_ms = 0;         // the last frame
};

// Since the side-car started.
struct IngestCounters {
  uint64_t frames = 0, segments = 0, bytes = 0;
  uint64_t frames_refused = 0;  // damaged, out of place, too large
  uint64_t runs_refused = 0;    // whole runs that were not accepted
  uint64_t clients = 0;         // now
  uint64_t keys_refused = 0;    // connections with unknown or wrong keys
  uint64_t sockets = 0;         // connections now, used or not
  uint64_t sockets_closed = 0;  // because there were too many
};

// A run that was stored or refused since the side-car started.
struct RunNotice {
  int64_t unix_ms = 0;
  Sender sender;
  std::string program;  // with ranks: of what can be read of it
  int64_t ranks = 0;
  std::string refused;  // why it was not stored; empty: it was
};

}  // namespace ranksight::online_model
