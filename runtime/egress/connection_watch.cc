#include "runtime/egress/connection_watch.h"

#include <zmq.h>

#include <cstring>

namespace ranksight::runtime {
namespace {

// Within the context, which has one socket.
constexpr const char* kEvents = "inproc://events";
constexpr int kBreaks = ZMQ_EVENT_DISCONNECTED |
                        ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                        ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL;
constexpr int kLookedFor = ZMQ_EVENT_CONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED |
                           ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | kBreaks;

}  // namespace

ConnectionWatch::ConnectionWatch(const ZmqLibrary& zmq, void* context,
                                 void* socket, bool shows_keys)
    : zmq_(zmq), shows_keys_(shows_keys) {
  if (zmq_.socket_monitor(socket, kEvents, kLookedFor) != 0) return;
  events_ = zmq_.socket(context, ZMQ_PAIR);
  if (events_ != nullptr && zmq_.connect(events_, kEvents) != 0) {
    zmq_.close(events_);
    events_ = nullptr;
  }
}

ConnectionWatch::~ConnectionWatch() {
  if (events_ != nullptr) zmq_.close(events_);
}

void ConnectionWatch::Look() {
  while (events_ != nullptr && TakeEvent()) {
  }
}

// Two parts: the event, a u16 with a value behind it, and the address.
bool ConnectionWatch::TakeEvent() {
  uint8_t what[sizeof(uint16_t) + sizeof(uint32_t)] = {}, address[1];
  if (zmq_.recv(events_, what, sizeof what, ZMQ_DONTWAIT) < 0) return false;
  (void)zmq_.recv(events_, address, sizeof address, ZMQ_DONTWAIT);
  uint16_t event = 0;
  std::memcpy(&event, what, sizeof event);
  connected_ = true;
  welcome_ |= event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED;
  key_unknown_ |= event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;
  broke_off_ |= (event & kBreaks) != 0;
  return true;
}

std::string ConnectionWatch::WhySilent() {
  Look();
  if (events_ != nullptr && !connected_) return "nobody answers there";
  if (key_unknown_) return "it does not know our key (ranksight keys allow)";
  if (welcome_ || !broke_off_) return "it did not answer in time";
  // Which of the two sides sees first that they do not fit is chance, and with
  // it what ZeroMQ knows of why.
  return shows_keys_ ? "it broke the connection off: has it that server key?"
                     : "it broke the connection off: does it ask for keys "
                       "(--server-key)?";
}

}  // namespace ranksight::runtime
