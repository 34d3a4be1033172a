#include "runtime/egress/stream.h"

#include <optional>
#include <string>

#include "reduction/api/contract.h"
#include "reduction/api/wire.h"
#include "runtime/process/closed_streams.h"

namespace ranksight::runtime {
namespace {

using reduction::FrameKind;
using reduction::Status;
using reduction::WireFrame;

constexpr uint64_t kSegmentBytes = 256 << 10;

// Whether the answer acknowledges so many.
Status Acknowledges(const WireFrame& answer, uint64_t sequence) {
  if (answer.kind == FrameKind::kAck && answer.sequence == sequence) {
    return Status::Ok();
  }
  return Status::Io(answer.kind == FrameKind::kRefuse
                        ? answer.reason
                        : "it answered with something else");
}

Status Greet(Peer* peer, const reduction::Meta& meta, int hello_ms) {
  RANKSIGHT_REQUIRE(peer != nullptr);
  const WireFrame answer = peer->Ask(HelloOf(meta), hello_ms);
  if (IsWelcome(answer)) return Status::Ok();
  if (answer.kind == FrameKind::kRefuse) return Status::Io(answer.reason);
  return Status::Io("it speaks another version of the wire than " +
                    std::to_string(reduction::kWireVersion));
}

Status SendAll(Peer* peer, const std::vector<uint8_t>& trace, int ack_ms) {
  uint64_t sequence = 0;
  while (sequence * kSegmentBytes < trace.size()) {
    ++sequence;
    const WireFrame answer =
        peer->Ask(SegmentOf(trace, sequence, kSegmentBytes), ack_ms);
    if (Status s = Acknowledges(answer, sequence); !s.ok()) return s;
  }
  return Acknowledges(peer->Ask(NumberFrame(FrameKind::kEnd, sequence), ack_ms),
                      sequence + 1);
}

Status StreamTo(const std::string& endpoint, const std::vector<uint8_t>& trace,
                const reduction::Meta& meta, const Patience& patience) {
  if (!reduction::CheckEndpoint(endpoint).ok()) {
    return Status::Usage("that is no endpoint");
  }
  const ZmqLibrary* zmq = LoadZmq();
  if (zmq == nullptr) return Status::Io("there is no libzmq.so.5 here");
  const std::optional<ClientKeys> keys = ReadClientKeys();
  if (!keys) {
    return Status::Io("the run's own pair of keys cannot be read (--key)");
  }
  const ClosedStreams closed;
  Peer peer(*zmq, endpoint, *keys, Peer::Silence::kWatched);
  if (Status s = Greet(&peer, meta, patience.hello_ms); !s.ok()) return s;
  return SendAll(&peer, trace, patience.ack_ms);
}

}  // namespace

Status Stream(const std::vector<uint8_t>& trace, const reduction::Meta& meta,
              const std::string& endpoint, const Patience& patience) noexcept {
  try {
    return StreamTo(endpoint, trace, meta, patience);
  } catch (...) {
    // As short as a string that takes no memory.
    return Status::Io("no memory");
  }
}

}  // namespace ranksight::runtime
