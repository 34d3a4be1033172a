// The frames between the root rank and the side-car. reduction/WIRE.md is
// normative. A frame is one ZeroMQ message part; this header knows nothing of
// sockets.
//
// Client: hello, segment 1..n, end; while the run goes on, segments ended by
// epoch instead. Server: welcome (credit), ack (highest sequence number
// stored), refuse (reason). Each frame carries a CRC-32C.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::reduction {

inline constexpr uint32_t kWireVersion = 1;
inline constexpr uint64_t kMaxFrameBytes = uint64_t{64} << 20;
// Of a job, a program, a build id, a parameter's name in a hello.
inline constexpr uint64_t kMaxNameBytes = 256;

enum class FrameKind : uint8_t {
  kHello = 1,
  kSegment = 2,
  kEnd = 3,
  kEpoch = 4,
  kWelcome = 16,
  kAck = 17,
  kRefuse = 18,
};

struct WireFrame {
  FrameKind kind = FrameKind::kHello;
  // kHello: who sends. kWelcome echoes the version chosen.
  uint32_t version = kWireVersion;
  std::string job, program, build_id;
  int64_t ranks = 0;
  std::map<std::string, std::string> params;
  // kSegment: number from 1, payload is an encoded trace or a part of one;
  // kAck: highest number stored; kEnd, kEpoch: number of segments sent;
  // kWelcome: segments that may be outstanding.
  uint64_t sequence = 0;
  std::vector<uint8_t> payload;
  std::string reason;  // kRefuse
  bool operator==(const WireFrame&) const = default;
};

std::vector<uint8_t> EncodeFrame(const WireFrame& frame);
// kBadInput with the offset for anything that is not a frame.
Result<WireFrame> DecodeFrame(std::span<const uint8_t> bytes);

// Whether a client may connect there: tcp://HOST:PORT or ipc://PATH. kUsage
// with the reason for anything else.
Status CheckEndpoint(std::string_view endpoint);

}  // namespace ranksight::reduction
