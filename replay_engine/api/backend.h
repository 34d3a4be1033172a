// Backend: whoever performs the calls of a replay. The schedule hands it one
// Operation per event, with every reference to an earlier call resolved to
// the number of the object that call made.
//
// Thread-safety: one backend belongs to one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/api/event.h"
#include "reduction/api/graph_edges.h"
#include "reduction/api/status.h"

namespace ranksight::replay_engine {

// Numbers of request objects on this rank. Non-persistent requests count
// from 0 and persistent ones from kPersistentBase, in the order they are
// made.
inline constexpr int64_t kNoRequest = -1;  // MPI_REQUEST_NULL
inline constexpr int64_t kPersistentBase = int64_t{1} << 62;

struct Operation {
  // Valid until the schedule moves on.
  const reduction::Event* event = nullptr;
  // Communicator obtained: its number, or -1 where none is (MPI_COMM_NULL
  // takes no number).
  int64_t new_comm = -1;
  // Window, file or session obtained: its number among those of its kind, or
  // -1.
  int64_t new_object = -1;
  // Of the communicator obtained, where MPI chooses the order of neighbours;
  // then on all its ranks.
  const reduction::EdgeMarks* edges = nullptr;
  // Request made, of either kind, or kNoRequest.
  int64_t new_request = kNoRequest;
  // What a receive or probe asks for: world rank or special value, and tag.
  // As recorded, or instead of any what it matched.
  int64_t source = reduction::kPeerNull;
  int64_t tag = 0;
  // Requests to pass, in order; those completed earlier are null by now. In
  // calls that complete some of many kNoRequest also stands for entries that
  // this call did not complete: so it completes the recorded ones, whatever
  // the timing.
  std::vector<int64_t> requests;
};

class Backend {
 public:
  virtual ~Backend() = default;

  // Performs the call; returns when it would return. MPI_Init and
  // MPI_Finalize never come here.
  virtual reduction::Status Perform(const Operation& operation) = 0;

  // Whether the leader of a call's group (Param::kLeader) passes the call over:
  // only it names what the call needs. `mine`: whether this rank would.
  // Collective over the call's communicator; without recordable calls.
  virtual bool LeaderPassesOver(const Operation& operation, bool mine) {
    (void)operation;
    return mine;  // where there is one rank only
  }

  // Releases what the recorded program left behind, without a recordable
  // call.
  virtual reduction::Status Finish() = 0;
};

}  // namespace ranksight::replay_engine
