// What the side-car knows of one client: how far its run has come. Frames in,
// replies out; knows nothing of sockets (reduction/WIRE.md is normative).
//
//   new --hello--> receiving --end, run accepted--> stored
// A segment that comes twice is acknowledged again and dropped; one that
// comes too early is dropped and answered with the last acknowledgement, so
// that the client sends again from there. An end before all segments is
// answered alike. An end after the run was stored is acknowledged again. A
// second hello for the same job is welcomed and changes nothing; a hello for
// another job begins anew.
//
// Invariants:
//  1. The bytes held never exceed the limit given; what would is refused.
//  2. The acknowledgement of the end (segments + 1) is only made after
//     `accept` said yes.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/wire.h"

namespace ranksight::online_model {

// Segments a client may have sent beyond the last acknowledged.
inline constexpr uint64_t kCredit = 4;

class Connection {
 public:
  // Takes a whole encoded trace; not Ok: the run is refused with the reason.
  using Accept = std::function<reduction::Status(const std::vector<uint8_t>&)>;

  // byte_allowance: how many more bytes all connections together may take.
  reduction::WireFrame Handle(const reduction::WireFrame& frame,
                              uint64_t byte_allowance, const Accept& accept);

  uint64_t bytes_held() const { return bytes_.capacity(); }
  const std::string& job() const { return job_; }

 private:
  enum class State { kNew, kReceiving, kStored };

  reduction::WireFrame OnHello(const reduction::WireFrame& frame);
  reduction::WireFrame OnSegment(const reduction::WireFrame& frame,
                                 uint64_t byte_allowance);
  reduction::WireFrame OnEnd(const reduction::WireFrame& frame,
                             const Accept& accept);
  reduction::WireFrame Refuse(const std::string& reason);
  void Forget();

  State state_ = State::kNew;
  std::string job_;
  uint64_t received_ = 0;  // segments, in order
  std::vector<uint8_t> bytes_;
};

}  // namespace ranksight::online_model
