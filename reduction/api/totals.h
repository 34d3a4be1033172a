// How often each event happened and what it cost, over all ranks, from the
// compressed trace.
//
// Complexity: counts and times cost O(structure); bytes O(structure x ranks)
// where a count differs over occurrences only by rank, and O(occurrences)
// only for events whose counts change while their type changes, too.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/api/call.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

struct EventTotal {
  Call call = Call::MPI_Init_;
  uint32_t site = 0;  // 0 in totals per call
  uint64_t count = 0;
  // Bytes of the send side and of the receive side (what was posted), as the
  // canonical text counts them, summed.
  uint64_t sent = 0, received = 0;
  // The bytes are estimates: their amounts are left only as distributions,
  // and the sizes of their elements differ.
  bool estimated = false;
  EventTimes times;

  uint64_t TimedCount() const;
  // Mean time in the call, ns; 0 when there is none.
  double MeanCall() const;
  // Quantiles of the time in the call over all occurrences but each rank's
  // first, or of the first ones where there is no other; ns.
  double CallQuantile(double q) const;
  // Whether counts and bytes are equal.
  bool SameAmounts(const EventTotal& other) const;
  void Merge(const EventTotal& other);
};

// One entry per (call, site), in tree order. kBadInput where all bytes together
// do not fit in 64 bits.
Result<std::vector<EventTotal>> TotalsBySite(const Trace& trace);
// One entry per call, ordered by the number of the call.
std::vector<EventTotal> TotalsByCall(const std::vector<EventTotal>& by_site);

}  // namespace ranksight::reduction
