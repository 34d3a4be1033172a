// Who sends how much to whom: the point-to-point messages of a trace.
//
// Counts blocking and non-blocking sends, the send half of the sendrecv
// family, and every start of a persistent send. Messages to MPI_PROC_NULL
// are none. What collectives and one-sided calls send is up to the MPI library
// and left out.
// Thread-safety: pure functions. Cost: the size of the rank's compressed
// parameters, memory O(its peers); where persistent requests are made or a
// parameter is irregular, its calls.
#pragma once

#include <cstdint>
#include <map>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

struct Traffic {
  uint64_t messages = 0, bytes = 0;
};

// What one rank sends, by destination (rank in MPI_COMM_WORLD). kBadInput where
// a peer lies outside the run or bytes do not fit in 64 bits.
Result<std::map<int64_t, Traffic>> TrafficFrom(const Trace& trace,
                                               int64_t rank);

}  // namespace ranksight::reduction
