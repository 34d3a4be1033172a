#include "runtime/egress/stream.h"

#include <zmq.h>

#include <algorithm>
#include <optional>

#include "reduction/api/wire.h"
#include "runtime/egress/client_keys.h"
#include "runtime/egress/zmq_library.h"

namespace ranksight::runtime {
namespace {

using reduction::FrameKind;
using reduction::WireFrame;

constexpr uint64_t kSegmentBytes = 256 << 10;
constexpr int kHelloTimeoutMs = 1000;
constexpr int kAckTimeoutMs = 5000;

// A DEALER socket for the length of one run's stream.
class Peer {
 public:
  Peer(const ZmqLibrary& zmq, const std::string& endpoint,
       const ClientKeys& keys)
      : zmq_(zmq) {
    context_ = zmq_.ctx_new();
    if (context_ == nullptr) return;
    socket_ = zmq_.socket(context_, ZMQ_DEALER);
    if (socket_ == nullptr) return;
    Set(ZMQ_LINGER, 0);
    Set(ZMQ_SNDHWM, 64);
    Set(ZMQ_RCVHWM, 64);
    connected_ = Show(keys) && zmq_.connect(socket_, endpoint.c_str()) == 0;
  }
  ~Peer() {
    if (socket_ != nullptr) zmq_.close(socket_);
    if (context_ != nullptr) zmq_.ctx_term(context_);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Sends a frame and returns the answer; a refusal when there is none.
  WireFrame Ask(const WireFrame& frame, int timeout_ms) {
    WireFrame none;
    none.kind = FrameKind::kRefuse;
    if (!connected_) return none;
    Set(ZMQ_SNDTIMEO, timeout_ms);
    Set(ZMQ_RCVTIMEO, timeout_ms);
    const std::vector<uint8_t> bytes = EncodeFrame(frame);
    if (zmq_.send(socket_, bytes.data(), bytes.size(), 0) < 0) return none;
    uint8_t answer[4096];
    const int n = zmq_.recv(socket_, answer, sizeof answer, 0);
    if (n <= 0 || size_t(n) > sizeof answer) return none;
    auto decoded = reduction::DecodeFrame({answer, size_t(n)});
    return decoded.ok() ? std::move(*decoded) : none;
  }

 private:
  void Set(int option, int value) {
    zmq_.setsockopt(socket_, option, &value, sizeof value);
  }
  bool SetKey(int option, const std::string& key) {
    return zmq_.setsockopt(socket_, option, key.c_str(), key.size() + 1) == 0;
  }
  bool Show(const ClientKeys& keys) {
    if (keys.server.empty()) return true;
    return SetKey(ZMQ_CURVE_SERVERKEY, keys.server) &&
           SetKey(ZMQ_CURVE_PUBLICKEY, keys.own_public) &&
           SetKey(ZMQ_CURVE_SECRETKEY, keys.own_secret);
  }
  const ZmqLibrary& zmq_;
  void* context_ = nullptr;
  void* socket_ = nullptr;
  bool connected_ = false;
};

WireFrame Hello(const reduction::Meta& meta) {
  WireFrame hello;
  hello.kind = FrameKind::kHello;
  hello.job = meta.job;
  hello.program = meta.program;
  hello.build_id = meta.build_id;
  hello.ranks = meta.ranks;
  hello.params = meta.params;
  return hello;
}

bool SendAll(Peer* peer, const std::vector<uint8_t>& trace) {
  uint64_t sequence = 0;
  for (uint64_t at = 0; at < trace.size(); at += kSegmentBytes) {
    const uint64_t end = std::min<uint64_t>(at + kSegmentBytes, trace.size());
    WireFrame segment;
    segment.kind = FrameKind::kSegment;
    segment.sequence = ++sequence;
    segment.payload.assign(trace.begin() + long(at), trace.begin() + long(end));
    const WireFrame ack = peer->Ask(segment, kAckTimeoutMs);
    if (ack.kind != FrameKind::kAck || ack.sequence != sequence) return false;
  }
  WireFrame last;
  last.kind = FrameKind::kEnd;
  last.sequence = sequence;
  const WireFrame ack = peer->Ask(last, kAckTimeoutMs);
  return ack.kind == FrameKind::kAck && ack.sequence == sequence + 1;
}

}  // namespace

bool Stream(const std::vector<uint8_t>& trace, const reduction::Meta& meta,
            const std::string& endpoint) noexcept {
  try {
    const ZmqLibrary* zmq = LoadZmq();
    if (zmq == nullptr) return false;
    const std::optional<ClientKeys> keys = ReadClientKeys();
    if (!keys) return false;
    Peer peer(*zmq, endpoint, *keys);
    const WireFrame welcome = peer.Ask(Hello(meta), kHelloTimeoutMs);
    return welcome.kind == FrameKind::kWelcome && SendAll(&peer, trace);
  } catch (...) {
    return false;
  }
}

}  // namespace ranksight::runtime
