// CommSizes: how many ranks are in the communicators of one rank, by the
// numbers that it knows them by.
//
// Invariants: a number stands for one communicator for ever, so sizes need no
// place in the stream; of an intercommunicator it is the rank's own group.
// Complexity: what is found costs the calls that make communicators.
// Thread-safety: as thread-safe as int.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::reduction {

class CommSizes {
 public:
  // Of a rank that has obtained none.
  explicit CommSizes(int64_t ranks) : ranks_(ranks) {}
  // All that the rank of the trace ever obtains, as far as that contradicts
  // itself nowhere. REQUIRES: rank is one of it.
  static CommSizes Find(const Trace& trace, int64_t rank);

  // Of what a call that makes a communicator returned; 0: MPI_COMM_NULL, which
  // takes no number.
  void Add(int64_t size) {
    if (size > 0) obtained_.push_back(size);
  }
  // kNotKept for a number that the rank does not know.
  int64_t Of(int64_t number) const;

 private:
  int64_t ranks_;
  std::vector<int64_t> obtained_;  // from number 2 on
};

}  // namespace ranksight::reduction
