// A DEALER socket to a side-car (reduction/WIRE.md).
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "reduction/api/trace.h"
#include "reduction/api/wire.h"
#include "runtime/egress/client_keys.h"
#include "runtime/egress/connection_watch.h"
#include "runtime/egress/zmq_library.h"

namespace ranksight::runtime {

// How long a side-car may take: WIRE.md's times.
struct Patience {
  int hello_ms = 1000;
  int ack_ms = 5000;
};
// A hello for so long, an acknowledgement five times as long. REQUIRES: from 0
// to a day.
Patience PatienceOf(double hello_seconds);

// The hello of the run that meta describes.
reduction::WireFrame HelloOf(const reduction::Meta& meta);
// Segment `sequence` (from 1) of a trace cut into pieces of segment_bytes.
// REQUIRES: (sequence - 1) * segment_bytes < trace.size().
reduction::WireFrame SegmentOf(const std::vector<uint8_t>& trace,
                               uint64_t sequence, uint64_t segment_bytes);
// A frame that holds a number alone (end, epoch).
reduction::WireFrame NumberFrame(reduction::FrameKind kind, uint64_t sequence);

// Whether a side-car took the hello and speaks this version of the wire.
bool IsWelcome(const reduction::WireFrame& answer);

class Peer {
 public:
  // kWatched: silence is given a reason. For one that is only asked: nobody
  // else looks at what was watched.
  enum class Silence : uint8_t { kPlain, kWatched };
  Peer(const ZmqLibrary& zmq, const std::string& endpoint,
       const ClientKeys& keys, Silence silence = Silence::kPlain);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Sends a frame and returns the answer; a refusal with the reason when there
  // is none.
  reduction::WireFrame Ask(const reduction::WireFrame& frame, int timeout_ms);

  // The two halves of Ask without waiting. False when the frame cannot be
  // sent now.
  bool TrySend(const reduction::WireFrame& frame);
  // Nothing when no answer is there; a refusal when it is no frame.
  std::optional<reduction::WireFrame> TryReceive();

 private:
  void Set(int option, int value);
  bool SetKey(int option, const std::string& key);
  bool Show(const ClientKeys& keys);
  std::optional<reduction::WireFrame> Receive(int flags);

  const ZmqLibrary& zmq_;
  void* context_ = nullptr;
  void* socket_ = nullptr;
  bool connected_ = false;
  std::unique_ptr<ConnectionWatch> watch_;  // where it is watched
};

}  // namespace ranksight::runtime
