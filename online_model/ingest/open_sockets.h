// The connections that clients hold to a listening ZeroMQ socket. ZeroMQ
// accepts whoever comes until the process has no descriptors left, with which
// runs could be stored. Here there are at most so many: of more than that,
// those close that never said anything, the oldest first, then those that have
// been silent longest.
// Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "reduction/api/status.h"

namespace ranksight::online_model {

class OpenSockets {
 public:
  // listening: not bound yet; must outlive this, which must be gone before
  // zmq_context ends. `gone` is told of every connection that is over,
  // `unfit` of every one whose handshake failed: ZMQ_PROTOCOL_ERROR_*, or 0
  // where the client was gone in the middle of it.
  static reduction::Result<std::unique_ptr<OpenSockets>> Watch(
      void* zmq_context, void* listening, size_t most,
      std::function<void(int fd)> gone, std::function<void(int error)> unfit);
  ~OpenSockets();
  OpenSockets(const OpenSockets&) = delete;
  OpenSockets& operator=(const OpenSockets&) = delete;

  // To be polled; Look when it is readable.
  void* socket() const { return socket_; }
  // Takes notice of who came and went, and closes what is too many.
  void Look();
  // A message came over this descriptor (ZMQ_SRCFD).
  void Heard(int fd);

  size_t open() const { return open_.size(); }
  uint64_t closed() const { return closed_; }  // for being too many

 private:
  OpenSockets() = default;
  bool TakeEvent();
  void CloseTooMany();

  void* listening_ = nullptr;
  void* socket_ = nullptr;
  size_t most_ = 0;
  std::function<void(int)> gone_, unfit_;
  // When each was heard last, or came; counted in events, which never stand
  // still or go back.
  struct Seen {
    bool spoke = false;
    uint64_t at = 0;
    auto operator<=>(const Seen&) const = default;
  };
  std::map<int, Seen> open_;  // by descriptor
  uint64_t events_ = 0;
  uint64_t closed_ = 0;
};

}  // namespace ranksight::online_model
