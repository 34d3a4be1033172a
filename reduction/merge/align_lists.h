// Which children of two loops are the same.
//
// Lists are compared by the call sites below each child. A loop on one side
// that spans several children on the other makes a loop of one iteration
// there (it ran once, so it was not seen to be a loop). What is left is
// paired in order, as many as possible (Hunt and Szymanski 1977).
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Children first..last of the list become one loop. once: for each of them,
// whether it is an event that the loop on the other side runs at most once
// in an iteration; where a rank runs nothing else of the loop, its
// repetitions are the loop's.
struct Wrap {
  size_t first, last;
  std::vector<bool> once;
};

// NodeT below: Node or Skeleton.

// The wraps that list needs so that no loop of `other` spans more than one
// of its children; disjoint, ascending. Only wraps that can be done without
// taking in children that stand for something else in `other`.
template <class NodeT>
std::vector<Wrap> FindWraps(const std::vector<NodeT>& list,
                            const std::vector<NodeT>& other);

// Pairs (index in a, index in b), ascending in both.
template <class NodeT>
std::vector<std::pair<size_t, size_t>> PairChildren(
    const std::vector<NodeT>& a, const std::vector<NodeT>& b);

// The least site below a node: where it stands in code order.
template <class NodeT>
uint32_t FirstSite(const NodeT& node);

}  // namespace ranksight::reduction
