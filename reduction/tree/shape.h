// The radix-k tree of ranks: rank r is the root of the block of ranks
// [r, r + width) for every power width of the radix that divides r. At each
// level the roots of k neighbouring blocks join at the first, so every merge
// joins neighbouring rank ranges. Where the job has several hosts, the ranks
// of each form a tree first, and their roots one over hosts. In another order
// (TreeOrder) places stand for ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/api/epoch.h"

namespace ranksight::reduction {

struct TreeChild {
  int64_t rank;   // root of the block
  int64_t ranks;  // in the block
};

// Children of a rank in the order in which they join it, ranks ascending
// within a level. REQUIRES: radix >= 2.
std::vector<TreeChild> ChildrenOf(int64_t rank, int64_t size, int radix);
// -1 for rank 0.
int64_t ParentOf(int64_t rank, int64_t size, int radix);

// Where a rank stands in the tree.
struct TreePlace {
  int64_t parent = -1;  // -1 for rank 0
  std::vector<TreeChild> children;
  int height = 0;  // levels of the tree below the rank
  int tree_height = 0;
};

// REQUIRES: radix >= 2; order is one of so many ranks.
TreePlace PlaceOf(int64_t rank, int64_t size, int radix,
                  const TreeOrder& order);

// The order of a torus. nodes: by rank, where its node stands when the torus is
// gone through line by line. Rank 0's node is the first, those before it are
// the last; the ranks of a node ascend.
TreeOrder OrderOfTorus(const std::vector<int64_t>& nodes);

}  // namespace ranksight::reduction
