#include "runtime/egress/stream.h"

#include <optional>

#include "runtime/egress/peer.h"
#include "runtime/process/closed_streams.h"

namespace ranksight::runtime {
namespace {

using reduction::FrameKind;
using reduction::WireFrame;

constexpr uint64_t kSegmentBytes = 256 << 10;

bool SendAll(Peer* peer, const std::vector<uint8_t>& trace) {
  uint64_t sequence = 0;
  while (sequence * kSegmentBytes < trace.size()) {
    ++sequence;
    const WireFrame ack =
        peer->Ask(SegmentOf(trace, sequence, kSegmentBytes), kAckTimeoutMs);
    if (ack.kind != FrameKind::kAck || ack.sequence != sequence) return false;
  }
  const WireFrame ack =
      peer->Ask(NumberFrame(FrameKind::kEnd, sequence), kAckTimeoutMs);
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
    const ClosedStreams closed;
    Peer peer(*zmq, endpoint, *keys);
    const WireFrame welcome = peer.Ask(HelloOf(meta), kHelloTimeoutMs);
    return IsWelcome(welcome) && SendAll(&peer, trace);
  } catch (...) {
    return false;
  }
}

}  // namespace ranksight::runtime
