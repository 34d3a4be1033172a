// MPI's collectives in the ones that coNCePTuaL has: SYNCHRONIZE, MULTICAST,
// REDUCE (Wu, Mueller and Pakin, "Automatic generation of executable
// communication specifications from parallel applications", 2011, Table I).
// Sizes that differ from member to member become their mean.
//
//   Barrier                SYNCHRONIZE
//   Bcast, Scatter(v)      MULTICAST from the root
//   Reduce, Gather(v)      REDUCE to the root
//   Allreduce              REDUCE to all
//   Allgather(v)           REDUCE to the first member, who MULTICASTs it all
//   Alltoall(v, w)         MULTICAST from all to all
//   Reduce_scatter         a REDUCE to each member
//   Scan, Exscan           REDUCE to all (not in the paper)
// Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "reduction/api/event.h"

namespace ranksight::adapters::conceptual {

enum class Pattern {
  kNone,
  kSynchronize,
  kMulticast,
  kReduce,
  kReduceToAll,
  kReduceThenMulticast,
  kMulticastToAll,
  kReduceToEach,
};

// kNone when there is no substitute. Non-blocking calls as blocking ones.
Pattern PatternOf(reduction::Call call);

// Bytes that one member gives or gets; reduction::kNone where this rank does
// not know (not the root).
int64_t AmountOf(const reduction::Event& e, int64_t members, bool is_root);

}  // namespace ranksight::adapters::conceptual
