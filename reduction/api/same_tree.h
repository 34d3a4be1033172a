// Whether two trees have the same events in the same places.
// Thread-safety: pure functions.
#pragma once

#include <algorithm>

#include "reduction/api/trace.h"

namespace ranksight::reduction {

// NodeT: Node or Skeleton.
template <class NodeT>
bool SameTree(const NodeT& a, const NodeT& b) {
  if (a.is_event() != b.is_event()) return false;
  if (a.is_event()) return a.call == b.call && a.site == b.site;
  return std::equal(a.children.begin(), a.children.end(), b.children.begin(),
                    b.children.end(), SameTree<NodeT>);
}

}  // namespace ranksight::reduction
