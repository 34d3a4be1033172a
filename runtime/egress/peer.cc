#include "runtime/egress/peer.h"

#include <zmq.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "reduction/api/contract.h"

namespace ranksight::runtime {
namespace {

// Of an answer: a number, or a reason of a line. Longer ones are not taken, or
// whoever listens at the address could fill the program's memory.
constexpr int64_t kMostAnswerBytes = 4096;

constexpr const char* kNoAnswer = "it did not answer in time";

}  // namespace

using reduction::FrameKind;
using reduction::WireFrame;

namespace {

WireFrame Silent(const std::string& why) {
  WireFrame frame = NumberFrame(FrameKind::kRefuse, 0);
  frame.reason = why;
  return frame;
}

}  // namespace

Patience PatienceOf(double hello_seconds) {
  RANKSIGHT_REQUIRE(hello_seconds >= 0 && hello_seconds <= 86400);
  const int hello_ms = int(hello_seconds * 1000);
  return {hello_ms, 5 * hello_ms};
}

WireFrame HelloOf(const reduction::Meta& meta) {
  WireFrame hello;
  hello.kind = FrameKind::kHello;
  hello.job = meta.job;
  hello.program = meta.program;
  hello.build_id = meta.build_id;
  hello.ranks = meta.ranks;
  hello.params = meta.params;
  return hello;
}

WireFrame SegmentOf(const std::vector<uint8_t>& trace, uint64_t sequence,
                    uint64_t segment_bytes) {
  RANKSIGHT_REQUIRE(sequence > 0 && segment_bytes > 0);
  RANKSIGHT_REQUIRE((sequence - 1) * segment_bytes < trace.size());
  const uint64_t at = (sequence - 1) * segment_bytes;
  const uint64_t end = std::min<uint64_t>(at + segment_bytes, trace.size());
  WireFrame segment;
  segment.kind = FrameKind::kSegment;
  segment.sequence = sequence;
  segment.payload.assign(trace.begin() + long(at), trace.begin() + long(end));
  return segment;
}

WireFrame NumberFrame(FrameKind kind, uint64_t sequence) {
  WireFrame frame;
  frame.kind = kind;
  frame.sequence = sequence;
  return frame;
}

bool IsWelcome(const WireFrame& answer) {
  return answer.kind == FrameKind::kWelcome &&
         answer.version == reduction::kWireVersion;
}

Peer::Peer(const ZmqLibrary& zmq, const std::string& endpoint,
           const ClientKeys& keys, Silence silence)
    : zmq_(zmq) {
  context_ = zmq_.ctx_new();
  if (context_ == nullptr) return;
  socket_ = zmq_.socket(context_, ZMQ_DEALER);
  if (socket_ == nullptr) return;
  Set(ZMQ_LINGER, 0);
  Set(ZMQ_SNDHWM, 64);
  Set(ZMQ_RCVHWM, 64);
  zmq_.setsockopt(socket_, ZMQ_MAXMSGSIZE, &kMostAnswerBytes,
                  sizeof kMostAnswerBytes);
  if (silence == Silence::kWatched) {
    watch_ = std::make_unique<ConnectionWatch>(zmq_, context_, socket_,
                                               !keys.server.empty());
  }
  connected_ = Show(keys) && zmq_.connect(socket_, endpoint.c_str()) == 0;
}

Peer::~Peer() {
  watch_.reset();
  if (socket_ != nullptr) zmq_.close(socket_);
  if (context_ != nullptr) zmq_.ctx_term(context_);
}

WireFrame Peer::Ask(const WireFrame& frame, int timeout_ms) {
  if (!connected_) return Silent("ZeroMQ makes no such connection");
  Set(ZMQ_SNDTIMEO, timeout_ms);
  Set(ZMQ_RCVTIMEO, timeout_ms);
  const std::vector<uint8_t> bytes = EncodeFrame(frame);
  std::optional<WireFrame> answer;
  if (zmq_.send(socket_, bytes.data(), bytes.size(), 0) >= 0) {
    answer = Receive(0);
  }
  if (watch_ != nullptr) watch_->Look();
  if (answer) return std::move(*answer);
  return Silent(watch_ != nullptr ? watch_->WhySilent() : kNoAnswer);
}

bool Peer::TrySend(const WireFrame& frame) {
  if (!connected_) return false;
  const std::vector<uint8_t> bytes = EncodeFrame(frame);
  return zmq_.send(socket_, bytes.data(), bytes.size(), ZMQ_DONTWAIT) >= 0;
}

std::optional<WireFrame> Peer::TryReceive() {
  if (!connected_) return std::nullopt;
  return Receive(ZMQ_DONTWAIT);
}

std::optional<WireFrame> Peer::Receive(int flags) {
  uint8_t answer[kMostAnswerBytes];
  const int n = zmq_.recv(socket_, answer, sizeof answer, flags);
  if (n < 0) return std::nullopt;
  const size_t size = std::min(size_t(n), sizeof answer);
  auto decoded = reduction::DecodeFrame({answer, size});
  if (decoded.ok()) return std::move(*decoded);
  return Silent("what answers there is no side-car");
}

void Peer::Set(int option, int value) {
  zmq_.setsockopt(socket_, option, &value, sizeof value);
}

bool Peer::SetKey(int option, const std::string& key) {
  return zmq_.setsockopt(socket_, option, key.c_str(), key.size() + 1) == 0;
}

bool Peer::Show(const ClientKeys& keys) {
  if (keys.server.empty()) return true;
  return SetKey(ZMQ_CURVE_SERVERKEY, keys.server) &&
         SetKey(ZMQ_CURVE_PUBLICKEY, keys.own_public) &&
         SetKey(ZMQ_CURVE_SECRETKEY, keys.own_secret);
}

}  // namespace ranksight::runtime
