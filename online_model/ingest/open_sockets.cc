#include "online_model/ingest/open_sockets.h"

#include <sys/socket.h>
#include <zmq.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace ranksight::online_model {
namespace {

using reduction::Status;

constexpr char kEndpoint[] = "inproc://ranksight-connections";
constexpr int kEvents = ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED |
                        ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
                        ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL;

}  // namespace

reduction::Result<std::unique_ptr<OpenSockets>> OpenSockets::Watch(
    void* zmq_context, void* listening, size_t most,
    std::function<void(int)> gone, std::function<void(int)> unfit) {
  std::unique_ptr<OpenSockets> made(new OpenSockets);
  made->most_ = most;
  made->gone_ = std::move(gone);
  made->unfit_ = std::move(unfit);
  made->socket_ = zmq_socket(zmq_context, ZMQ_PAIR);
  // ZeroMQ drops what it has to tell when this is full.
  const int unlimited = 0, linger = 0;
  if (made->socket_ == nullptr ||
      zmq_setsockopt(made->socket_, ZMQ_RCVHWM, &unlimited,
                     sizeof(unlimited)) != 0 ||
      zmq_setsockopt(made->socket_, ZMQ_LINGER, &linger, sizeof(linger)) != 0 ||
      zmq_socket_monitor(listening, kEndpoint, kEvents) != 0 ||
      zmq_connect(made->socket_, kEndpoint) != 0) {
    return Status::Io("connections cannot be watched: " +
                      std::string(zmq_strerror(zmq_errno())));
  }
  made->listening_ = listening;
  return made;
}

OpenSockets::~OpenSockets() {
  if (listening_ != nullptr) zmq_socket_monitor(listening_, nullptr, 0);
  if (socket_ != nullptr) zmq_close(socket_);
}

// An event is two parts: its number (16 bits) and descriptor or error (32), and
// the endpoint.
bool OpenSockets::TakeEvent() {
  uint8_t bytes[6];
  char endpoint[1];
  if (zmq_recv(socket_, bytes, sizeof(bytes), ZMQ_DONTWAIT) < 0) return false;
  (void)zmq_recv(socket_, endpoint, sizeof(endpoint), ZMQ_DONTWAIT);
  uint16_t event;
  int32_t value;
  std::memcpy(&event, bytes, sizeof(event));
  std::memcpy(&value, bytes + sizeof(event), sizeof(value));
  if (event == ZMQ_EVENT_ACCEPTED) {
    open_[value] = {false, ++events_};
  } else if (event == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL) {
    unfit_(value);
  } else if (event == ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL) {
    unfit_(0);
  } else if (event == ZMQ_EVENT_DISCONNECTED && open_.erase(value) > 0) {
    gone_(value);
  }
  return true;
}

void OpenSockets::CloseTooMany() {
  if (open_.size() <= most_) return;
  std::vector<std::pair<Seen, int>> order;
  for (const auto& [fd, seen] : open_) order.emplace_back(seen, fd);
  const size_t more = order.size() - most_;
  std::ranges::nth_element(order, order.begin() + long(more));
  order.resize(more);
  for (const auto& [seen, fd] : order) {
    // ZeroMQ sees the end of the stream and closes the descriptor.
    (void)::shutdown(fd, SHUT_RDWR);
    open_.erase(fd);
    ++closed_;
    gone_(fd);
  }
}

void OpenSockets::Look() {
  while (TakeEvent()) {
  }
  CloseTooMany();
}

void OpenSockets::Heard(int fd) {
  const auto at = open_.find(fd);
  if (at != open_.end()) at->second = {true, ++events_};
}

}  // namespace ranksight::online_model
