// The side-car: receives runs over ZeroMQ (reduction/WIRE.md), stores them,
// refits, and answers forecasts. Embedded in `ranksight study`, or alone as
// `ranksight serve`.
//
// Thread-safety: Start makes one background thread; all methods may be
// called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "online_model/api/forecast.h"
#include "online_model/api/store.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

struct ServerOptions {
  // "ipc://PATH" or "tcp://127.0.0.1:PORT" (port * picks one). Anything else
  // than ipc or loopback is refused (kUsage) until keys exist.
  std::string listen = "tcp://127.0.0.1:5570";
  std::string store_directory;
  // Called on the server's thread after a run was stored and refitted.
  std::function<void(const RunRecord&)> on_run;
  // One line per noteworthy happening (refused frames, bad runs).
  std::function<void(const std::string&)> log;
};

class Server {
 public:
  static reduction::Result<std::unique_ptr<Server>> Start(
      const ServerOptions& options);
  virtual ~Server() = default;
  // The endpoint bound, with the real port.
  virtual std::string endpoint() const = 0;
  virtual uint64_t runs_stored() const = 0;
  // Waits until at least `runs` were stored since the start or the time is
  // over; true when they were.
  virtual bool WaitForRuns(uint64_t runs, int timeout_ms) = 0;
  // The forecast of one program from everything in the store; kNo when the
  // store holds no run of it.
  virtual reduction::Result<Forecast> ForecastFor(
      const std::string& program, std::span<const int64_t> ranks) = 0;
  virtual void Stop() = 0;
};

}  // namespace ranksight::online_model
