// Sends the trace so far to a side-car at each epoch, from rank 0: nothing
// waits, and what is not acknowledged in time is given up (reduction/WIRE.md).
// ZeroMQ's own thread does the sending; it exists from Open on.
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reduction/api/trace.h"
#include "runtime/egress/peer.h"

namespace ranksight::runtime {

class EpochStream {
 public:
  // nullptr without ZeroMQ, without the keys that are asked for, or where the
  // program has closed a standard descriptor, which a socket might get.
  static std::unique_ptr<EpochStream> Open(
      const std::string& endpoint, const Patience& patience = {}) noexcept;
  ~EpochStream();

  // Calls `yield` while there is nothing to do and between pieces of work of
  // some tens of microseconds. What yield throws goes through; Send must not
  // be called again then.
  void Send(const std::vector<uint8_t>& trace, const reduction::Meta& meta,
            void (*yield)());

 private:
  EpochStream(const ZmqLibrary& zmq, ClientKeys keys, std::string endpoint,
              const Patience& patience);
  bool SendAll(const std::vector<uint8_t>& trace, const reduction::Meta& meta,
               void (*yield)());
  bool Put(const reduction::WireFrame& frame, void (*yield)());
  reduction::WireFrame Await(int timeout_ms, void (*yield)());

  const ZmqLibrary& zmq_;
  const ClientKeys keys_;
  const std::string endpoint_;
  const Patience patience_;
  std::unique_ptr<Peer> peer_;
  bool welcome_ = false;
  uint64_t credit_ = 1;
  int64_t not_before_ms_ = 0;
};

}  // namespace ranksight::runtime
