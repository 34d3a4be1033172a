// When a rank cuts, and how long it waits for others.
//
// Times are on one scale, "moments": ticks of the clock since the recording
// started, or events counted. Cut k is due at k periods. Ranks started
// together, so their cuts fall together without a word between them.
//
// Thread-safety: value type.
#pragma once

#include <cstdint>

namespace ranksight::runtime {

struct Schedule {
  uint64_t period = 0;  // moments; 0: never
  int height = 0;       // of this rank in the tree
  int tree_height = 0;  // of rank 0

  // The number of the cut due at `now`.
  uint64_t CutAt(uint64_t now) const { return period == 0 ? 0 : now / period; }
  uint64_t StartOf(uint64_t cut) const { return cut * period; }
  // Until when a rank waits for those below it: each level in turn, half a
  // period in all, so that what reaches the root is never older than that.
  uint64_t WaitUntil(uint64_t cut) const {
    const uint64_t levels = tree_height > 0 ? uint64_t(tree_height) : 1;
    return StartOf(cut) + period / 2 * uint64_t(height) / levels;
  }
};

}  // namespace ranksight::runtime
