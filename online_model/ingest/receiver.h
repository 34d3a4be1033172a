// The ROUTER socket of the side-car: many clients, each with a Connection of
// its own. What one sends, stalls or damages does not reach another.
//
// Limits: a frame of at most kMostFrameBytes; one run at most `most_run_bytes`
// and all runs under way together `most_bytes`; `most_connections` clients,
// where one that has gone, or brought nothing new for `makes_room_ms`, makes
// room for a new one; they and
// whoever only connects hold `most_sockets` connections (open_sockets.h); a
// client that says nothing for `idle_timeout_ms` is forgotten (its run then
// starts again with hello). Replies never block: what a client does not fetch
// is dropped, and it will ask again. Runs are checked and stored by workers,
// so that a large or hostile one holds up nobody else's segments.
//
// Thread-safety: Bind, then Run on one thread; Stop, Live and counters from
// any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "online_model/api/live.h"
#include "online_model/api/log.h"
#include "online_model/api/sender.h"
#include "online_model/ingest/curve.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

// Segments hold 256 KiB as a rule (reduction/WIRE.md).
inline constexpr uint64_t kMostFrameBytes = uint64_t{4} << 20;

struct ReceiverOptions {
  std::string listen;
  // Empty: no keys are asked for, and only loopback and ipc are listened on.
  std::string keys_directory;
  uint64_t most_bytes = uint64_t{1} << 30;
  uint64_t most_run_bytes = uint64_t{256} << 20;
  size_t most_connections = 256;
  size_t most_sockets = 1024;
  int makes_room_ms = 5000;
  int idle_timeout_ms = 120'000;
  // A whole encoded trace arrived; Ok once it is stored. Called by workers,
  // several at a time.
  std::function<reduction::Status(const std::vector<uint8_t>&, const Sender&)>
      accept;
  // The encoded trace so far of a run under way, and who its client says it
  // is. Called as accept is; of one run not twice at a time. May be empty.
  std::function<reduction::Status(const LiveRun&, const std::vector<uint8_t>&)>
      on_epoch;
  Log log;  // may be empty
  // Something that Live or counters would tell has changed. May be empty;
  // must not block.
  std::function<void()> on_change;
};

class Receiver {
 public:
  static reduction::Result<Receiver> Bind(ReceiverOptions options);
  ~Receiver();
  Receiver(Receiver&&) noexcept;
  Receiver& operator=(Receiver&&) noexcept;

  // As bound, with the real port.
  const std::string& endpoint() const;
  // Until Stop.
  void Run();
  void Stop();

  // Runs and how far they have come, by job. Of several clients that name one
  // job, the one heard last.
  std::vector<LiveRun> Live() const;
  IngestCounters counters() const;

 private:
  struct Impl;
  explicit Receiver(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ranksight::online_model
