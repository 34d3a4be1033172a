// What becomes of a socket's connection, so that of a side-car which does not
// answer can be said why.
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/egress/zmq_library.h"

namespace ranksight::runtime {

class ConnectionWatch {
 public:
  // Of a socket that will not live longer, before it connects.
  // shows_keys: whether it has keys for the side-car.
  ConnectionWatch(const ZmqLibrary& zmq, void* context, void* socket,
                  bool shows_keys);
  ~ConnectionWatch();
  ConnectionWatch(const ConnectionWatch&) = delete;
  ConnectionWatch& operator=(const ConnectionWatch&) = delete;

  // Takes in what has happened. ZeroMQ's thread waits where nobody does this
  // for some hundred events.
  void Look();
  // Why nobody answers, as a line.
  std::string WhySilent();

 private:
  bool TakeEvent();

  const ZmqLibrary& zmq_;
  void* events_ = nullptr;  // nullptr: nothing is known
  bool shows_keys_;
  bool connected_ = false, welcome_ = false, key_unknown_ = false,
       broke_off_ = false;
};

}  // namespace ranksight::runtime
