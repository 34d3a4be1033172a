#include "runtime/egress/epoch_stream.h"

#include <chrono>
#include <utility>

#include "runtime/process/closed_streams.h"

namespace ranksight::runtime {
namespace {

using reduction::FrameKind;
using reduction::WireFrame;

// Encoding and handing over so much takes some tens of microseconds, which is
// what a slice of an epoch may take.
constexpr uint64_t kEpochSegmentBytes = 64 << 10;
// After a side-car did not answer (WIRE.md).
constexpr int64_t kAgainMs = 10'000;

int64_t NowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

EpochStream::EpochStream(const ZmqLibrary& zmq, ClientKeys keys,
                         std::string endpoint, const Patience& patience)
    : zmq_(zmq),
      keys_(std::move(keys)),
      endpoint_(std::move(endpoint)),
      patience_(patience) {
  peer_ = std::make_unique<Peer>(zmq_, endpoint_, keys_);
}

EpochStream::~EpochStream() = default;

std::unique_ptr<EpochStream> EpochStream::Open(
    const std::string& endpoint, const Patience& patience) noexcept {
  // ZeroMQ opens files whenever it connects anew.
  if (SomeStreamIsClosed()) return nullptr;
  try {
    if (!reduction::CheckEndpoint(endpoint).ok()) return nullptr;
    const ZmqLibrary* zmq = LoadZmq();
    if (zmq == nullptr) return nullptr;
    std::optional<ClientKeys> keys = ReadClientKeys();
    if (!keys) return nullptr;
    return std::unique_ptr<EpochStream>(
        new EpochStream(*zmq, std::move(*keys), endpoint, patience));
  } catch (...) {
    return nullptr;
  }
}

void EpochStream::Send(const std::vector<uint8_t>& trace,
                       const reduction::Meta& meta, void (*yield)()) {
  if (NowMs() < not_before_ms_) return;
  if (SomeStreamIsClosed()) {
    welcome_ = false;
    peer_.reset();
    return;
  }
  if (peer_ == nullptr) {
    peer_ = std::make_unique<Peer>(zmq_, endpoint_, keys_);
  }
  if (SendAll(trace, meta, yield)) return;
  // How far the side-car has come is unknown: begin anew.
  not_before_ms_ = NowMs() + kAgainMs;
  welcome_ = false;
  peer_.reset();
}

bool EpochStream::Put(const WireFrame& frame, void (*yield)()) {
  const int64_t late = NowMs() + patience_.ack_ms;
  while (!peer_->TrySend(frame)) {
    if (NowMs() > late) return false;
    yield();
  }
  return true;
}

WireFrame EpochStream::Await(int timeout_ms, void (*yield)()) {
  const int64_t late = NowMs() + timeout_ms;
  for (;;) {
    // Looked for first: between two calls of the program may be any time.
    if (auto answer = peer_->TryReceive()) return std::move(*answer);
    if (NowMs() > late) return NumberFrame(FrameKind::kRefuse, 0);
    yield();
  }
}

bool EpochStream::SendAll(const std::vector<uint8_t>& trace,
                          const reduction::Meta& meta, void (*yield)()) {
  if (!welcome_) {
    if (!Put(HelloOf(meta), yield)) return false;
    const WireFrame answer = Await(patience_.hello_ms, yield);
    if (!IsWelcome(answer) || answer.sequence < 1) return false;
    credit_ = answer.sequence;
    welcome_ = true;
  }
  const uint64_t segments =
      (trace.size() + kEpochSegmentBytes - 1) / kEpochSegmentBytes;
  // The epoch itself counts as one more, and so does its acknowledgement.
  uint64_t acknowledged = 0;
  for (uint64_t sent = 0; acknowledged <= segments;) {
    if (sent <= segments && sent < acknowledged + credit_) {
      ++sent;
      const WireFrame frame = sent > segments
                                  ? NumberFrame(FrameKind::kEpoch, segments)
                                  : SegmentOf(trace, sent, kEpochSegmentBytes);
      if (!Put(frame, yield)) return false;
      yield();
      continue;
    }
    const WireFrame ack = Await(patience_.ack_ms, yield);
    if (ack.kind != FrameKind::kAck || ack.sequence != ++acknowledged) {
      return false;
    }
  }
  return true;
}

}  // namespace ranksight::runtime
