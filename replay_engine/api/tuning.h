// Tuning: what a replay may do differently where it knows which node of a
// torus each rank sits on.
//
// Only posts that no other call lies between are moved: MPI_Isend, MPI_Issend
// and MPI_Irecv in a row. Receives go first, in their order; sends follow, in
// theirs for each destination and communicator. So the same messages match.
// Computation before a post moves with it.
//
// Thread-safety: value types.
#pragma once

#include "bgq_support/api/machine.h"
#include "bgq_support/api/mapping.h"

namespace ranksight::replay_engine {

struct Tuning {
  // Sends that share no link's direction follow one another, the longest
  // first, on all ranks in the same order of directions.
  bool order = false;
  // Of the sends that may be next the one whose first link has had the fewest
  // bytes.
  bool balance = false;
  // A send waits while its links are busy with those before it, where a call
  // that completes requests follows: nothing else is delayed.
  bool pace = false;
  double bytes_scale = 1;  // of the backend
  bool Any() const { return order || balance || pace; }
};

// Where ranks sit.
struct Placement {
  bgq_support::Machine machine;
  bgq_support::Mapping mapping;
};

}  // namespace ranksight::replay_engine
