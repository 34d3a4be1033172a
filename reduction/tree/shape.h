// The radix-k tree of ranks: rank r is the root of the block of ranks
// [r, r + width) for every power width of the radix that divides r. At each
// level the roots of k neighbouring blocks join at the first, so every merge
// joins neighbouring rank ranges.
#pragma once

#include <cstdint>
#include <vector>

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

}  // namespace ranksight::reduction
