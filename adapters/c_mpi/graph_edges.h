// The table by which a program knows the sources of a graph again, which
// MPI_Dist_graph_create gives in an order of its own
// (reduction/api/graph_edges.h). Complexity: O(1) without such graphs, O(events
// + edges) with them. Thread-safety: pure functions.
#pragma once

#include <string>

#include "adapters/api/generate.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters::c_mpi {

// The numbers of graph_edges (support/neighbours.c), "" where every rank gets
// the same from all its sources. kNo where they differ and the program is to
// run on other rank counts.
reduction::Result<std::string> GraphEdgesText(const reduction::Trace& trace,
                                              const GenerateOptions& options);

}  // namespace ranksight::adapters::c_mpi
