// What MpiCollectiveEnd says was sent and received, and what a trace says.
//
// A trace has what the call was given: for each other member, or in all where
// every member has its own amount. OTF2 leaves the meaning open; Score-P, and
// tools that read its archives, take the sums over all members that a rank
// sends to and receives from, itself included unless the call works in place.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "reduction/api/event.h"

namespace ranksight::adapters::otf2 {

struct CollectiveSizes {
  int64_t sent = 0, received = 0;
};

// The record of `e`, called by the member at `place` of `members`.
CollectiveSizes RecordedSizes(const reduction::Event& e, int64_t members,
                              int64_t place, bool is_root);

// The trace's `bytes` and `rbytes` from a record. Where all send to all, and
// in scans, a call in place looks like one of a smaller amount if the sum
// divides so, too.
CollectiveSizes SizesOfCall(reduction::Call call, const CollectiveSizes& record,
                            int64_t members);

}  // namespace ranksight::adapters::otf2
