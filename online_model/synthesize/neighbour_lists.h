// Who talks to whom, over all events of a program: trip counts, requests and
// other parameters follow the neighbours of other events, too.
// Thread-safety: pure functions.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/neighbours.h"
#include "online_model/synthesize/node_patterns.h"

namespace ranksight::online_model {

struct NeighbourLists {
  using Lists = std::vector<std::shared_ptr<const Neighbours>>;
  // Those of each event whose peers are neighbours on the grid, and the union
  // of all.
  Lists lists;
  // Those that events of one call in a row reach together.
  Lists posted;
  // Orders of bits that lead to peers which are no neighbours.
  std::vector<ExpressionPtr> bit_orders;
  // Whom the iterations of loops are for, by the place in the loop, where some
  // reach them by one event and some by another.
  std::vector<ExpressionPtr> partners;
};

// Whether it says whom an event exchanges with.
bool NamesNeighbours(reduction::Param p);

// roots: of aligned traces. grids: one for each.
NeighbourLists CollectNeighbours(const Nodes& roots,
                                 std::span<const Grid> grids);

}  // namespace ranksight::online_model
