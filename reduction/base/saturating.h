// Counts that stay at the largest number instead of starting again at 0:
// those of damaged files may be anything.
// Thread-safety: pure function.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ranksight::reduction {

inline void AddSaturating(uint64_t n, uint64_t* count) {
  *count += std::min(n, UINT64_MAX - *count);
}

}  // namespace ranksight::reduction
