// What the side-car knows of one client: how far its run has come. Frames in,
// replies out; knows nothing of sockets (reduction/WIRE.md is normative).
//
//   new --hello--> receiving --end--> storing --accepted--> stored
// While the run goes on, segments may be ended by an epoch instead: they are
// the run so far, are handed over as such, and the next count from 1 again.
// A segment that comes twice is acknowledged again and dropped; one that
// comes too early is dropped and answered with the last acknowledgement, so
// that the client sends again from there. An end before all segments is
// answered alike. A whole run is handed over and nothing more is said of it
// until the verdict (Finish), so that storing one run holds up nobody else.
// An end after the run was stored is acknowledged again. A
// second hello for the same job is welcomed and changes nothing; a hello for
// another job begins anew.
//
// Invariants:
//  1. The bytes held never exceed the limit given; what would is refused.
//  2. The acknowledgement of the end (segments + 1) is only made after
//     Finish was told that the run is safe.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/wire.h"

namespace ranksight::online_model {

// Segments a client may have sent beyond the last acknowledged.
inline constexpr uint64_t kCredit = 4;

class Connection {
 public:
  enum class State { kNew, kReceiving, kStoring, kStored };
  enum class Sent : uint8_t { kRun, kEpoch };
  // Takes an encoded trace: a whole run's, or that of a run so far.
  using HandOver = std::function<void(std::vector<uint8_t>, Sent)>;

  // What to answer, if anything. byte_allowance: how many more bytes this
  // client may hold. hand_over is called at most once, before the return.
  std::optional<reduction::WireFrame> Handle(const reduction::WireFrame& frame,
                                             uint64_t byte_allowance,
                                             const HandOver& hand_over);
  // The verdict on the run handed over: what to answer.
  // REQUIRES: state() is kStoring.
  reduction::WireFrame Finish(const reduction::Status& verdict);

  State state() const { return state_; }
  uint64_t bytes_held() const { return bytes_.capacity(); }
  // Since hello, those of epochs included.
  uint64_t bytes_received() const { return bytes_received_; }
  uint64_t segments() const { return segments_; }
  uint64_t epochs() const { return epochs_; }
  // As the last hello said.
  const std::string& job() const { return hello_.job; }
  const reduction::WireFrame& hello() const { return hello_; }

 private:
  reduction::WireFrame OnHello(const reduction::WireFrame& frame);
  reduction::WireFrame OnSegment(const reduction::WireFrame& frame,
                                 uint64_t byte_allowance);
  std::optional<reduction::WireFrame> OnEnd(const reduction::WireFrame& frame,
                                            const HandOver& hand_over);
  reduction::WireFrame OnEpoch(const reduction::WireFrame& frame,
                               const HandOver& hand_over);
  reduction::WireFrame Refuse(const std::string& reason);
  void Forget();

  State state_ = State::kNew;
  reduction::WireFrame hello_;
  uint64_t received_ = 0;  // segments, in order, since the last epoch
  uint64_t segments_ = 0, bytes_received_ = 0, epochs_ = 0;
  std::vector<uint8_t> bytes_;
};

}  // namespace ranksight::online_model
