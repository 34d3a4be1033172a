// A part of a ZeroMQ message.
// Thread-safety: one thread.
#pragma once

#include <zmq.h>

#include <cstdint>
#include <span>
#include <string>

namespace ranksight::online_model {

class Message {
 public:
  Message() { zmq_msg_init(&message_); }
  ~Message() { zmq_msg_close(&message_); }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
  // False when none is there.
  bool Receive(void* socket) {
    return zmq_msg_recv(&message_, socket, ZMQ_DONTWAIT) >= 0;
  }
  bool more() { return zmq_msg_more(&message_) != 0; }
  // The descriptor it came over, -1 when that is not known.
  int from() { return zmq_msg_get(&message_, ZMQ_SRCFD); }
  // What the gatekeeper calls the client's key; empty where none is asked for.
  std::string key() {
    const char* name = zmq_msg_gets(&message_, "User-Id");
    return name == nullptr ? "" : name;
  }
  std::span<const uint8_t> bytes() {
    return {static_cast<const uint8_t*>(zmq_msg_data(&message_)),
            zmq_msg_size(&message_)};
  }

 private:
  zmq_msg_t message_;
};

}  // namespace ranksight::online_model
