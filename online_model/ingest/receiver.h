// The ROUTER socket of the side-car: many clients, each with a Connection of
// its own. What one sends, stalls or damages does not reach another.
//
// Limits: a message of at most kMaxFrameBytes; all runs under way together
// `most_bytes`; `most_connections` clients; a client that says nothing for
// `idle_timeout_ms` is forgotten (its run then starts again with hello).
// Replies never block: what a client does not fetch is dropped, and it will
// ask again.
//
// Thread-safety: Bind, then Run on one thread; Stop from any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::online_model {

struct ReceiverOptions {
  std::string listen;
  uint64_t most_bytes = uint64_t{1} << 30;
  size_t most_connections = 256;
  int idle_timeout_ms = 120'000;
  // A whole encoded trace arrived; Ok once it is stored. On Run's thread.
  std::function<reduction::Status(const std::vector<uint8_t>&)> accept;
  std::function<void(const std::string&)> log;  // may be empty
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

 private:
  struct Impl;
  explicit Receiver(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ranksight::online_model
