// How large the partitions of a message are when it is scaled. Each end cuts
// the message as it likes and knows its own number of partitions only, but all
// of it must come out equally large. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <set>

#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Into how many partitions any rank of the trace cuts messages.
// Complexity: O(calls that make such messages), over all ranks.
std::set<int64_t> PartitionCounts(const Trace& trace);

// The bytes of each of `partitions` partitions that have `bytes` each: with the
// factor, rounded down so that the message can be cut into every one of
// `counts` that it could be cut into before.
int64_t ScaledPartition(int64_t bytes, int64_t partitions, double factor,
                        const std::set<int64_t>& counts);

}  // namespace ranksight::reduction
