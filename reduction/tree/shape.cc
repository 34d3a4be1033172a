#include "reduction/tree/shape.h"

#include <algorithm>

namespace ranksight::reduction {

std::vector<TreeChild> ChildrenOf(int64_t rank, int64_t size, int radix) {
  std::vector<TreeChild> children;
  for (int64_t width = 1; width < size && rank % (width * radix) == 0;
       width *= radix) {
    for (int64_t k = 1; k < radix; ++k) {
      const int64_t from = rank + k * width;
      if (from >= size) break;
      children.push_back({from, std::min(width, size - from)});
    }
  }
  return children;
}

int64_t ParentOf(int64_t rank, int64_t size, int radix) {
  for (int64_t width = 1; width < size; width *= radix) {
    const int64_t first = rank / (width * radix) * (width * radix);
    if (rank != first) return first;
  }
  return -1;
}

}  // namespace ranksight::reduction
