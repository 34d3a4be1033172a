// Shifts: calls that send to one rank and receive from another, such as
// MPI_Sendrecv along a side of a grid.
//
// The k-th such call of a rank in an iteration belongs to round k. What it
// sends is an edge; in one round a rank has at most one edge from it and one to
// it, so that both are one call and no rank waits for another in a circle.
// Thread-safety: pure functions. Complexity: O(edges), and for each set of
// iterations at which edges are, O(ranks).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "online_model/twin/draw.h"
#include "online_model/twin/exchange_parts.h"

namespace ranksight::online_model {

// inputs: ascending, Edge::round set, one for each size. keep_counts: as in
// DrawEdges. Of parts: who may be a partner, and the way goes by places in
// them. Sets DrawnEdge::round.
std::vector<DrawnEdge> DrawShifts(std::span<const EdgeList> inputs,
                                  const WantedSize& wanted,
                                  const ExchangeParts& parts, bool keep_counts,
                                  uint64_t seed);

}  // namespace ranksight::online_model
