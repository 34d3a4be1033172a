// Collectives that members of a communicator call from several places of the
// program (the root's branch and the others'), or that one place calls on
// several communicators: put together as if each rank had one place for each
// communicator.
//
// The k-th call of a collective on a communicator goes with the k-th of all
// other members, wherever it stands.
//
// Complexity: O(structure x ranks) where a rank's calls on a communicator come
// from one place and stay on it, O(events) of a rank elsewhere. Memory: as the
// trace's parameters, and a bit for each rank and node put together.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/look/collective_traffic.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

struct SpreadCalls {
  struct Whole {
    reduction::Node node;  // each rank calls it on one communicator only
    size_t place;          // among the nodes given, the first that has a part
  };
  std::vector<Whole> whole;
  // Calls on communicators that are not known, or that not all members call
  // as often.
  uint64_t unmatched = 0;
};

// REQUIRES: `places` are events of the trace, of one call that has a
// communicator. Errors are those of a walk.
reduction::Result<SpreadCalls> PutTogether(
    const reduction::Trace& trace,
    const std::vector<const reduction::Node*>& places, const GroupOf& group_of);

}  // namespace ranksight::cli
