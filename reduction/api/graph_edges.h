// What flows along each edge of a graph of neighbours, as marks that tell edges
// apart.
//
// MPI_Dist_graph_create says nothing about the order of the neighbours that it
// gives, and MPICH gives the sources as it hears of them: another order in each
// run. The amounts of a recorded call stand in the order of the recorded run.
// An edge is known again by its amounts: those of its sender are those of its
// receiver.
//
// Invariants: two edges with the same marks carry the same in all calls, so
// either may stand for the other.
// Complexity: one walk of the rank where the trace makes such a graph, else
// none. Thread-safety: immutable once built.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Of one rank and one graph: a mark for each edge, in the order of the recorded
// run. Of edges that nothing tells apart there may be none.
struct EdgeMarks {
  std::vector<uint64_t> out, in;
  uint64_t other_out = 0;  // of edges to destinations behind these
};

class GraphEdges {
 public:
  // REQUIRES: rank is one of the trace.
  GraphEdges(const Trace& trace, int64_t rank);
  // Of the communicator of this number; null where no such call made it.
  const EdgeMarks* Of(int64_t comm) const;
  // Of all such communicators of the rank, by number.
  const std::map<int64_t, EdgeMarks>& all() const { return of_comm_; }

 private:
  void Walk(const Trace& trace, int64_t rank);
  std::map<int64_t, EdgeMarks> of_comm_;
};

}  // namespace ranksight::reduction
