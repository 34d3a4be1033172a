// Making a loop around children that ran as often as their parent.
#pragma once

#include <cstdint>
#include <iterator>
#include <vector>

#include "reduction/api/trace.h"
#include "reduction/merge/align_lists.h"

namespace ranksight::reduction {

// Takes children wrap.first..wrap.last out of the list, into a loop that is
// otherwise empty. The first of them leaves its place to that loop.
template <class NodeT>
NodeT TakeWrapped(const Wrap& wrap, std::vector<NodeT>* children) {
  const auto begin = children->begin() + long(wrap.first);
  const auto end = children->begin() + long(wrap.last) + 1;
  NodeT loop;
  loop.children.assign(std::make_move_iterator(begin),
                       std::make_move_iterator(end));
  children->erase(begin + 1, end);
  return loop;
}

// Trip counts of a new loop and of the nodes inside on one rank.
struct WrappedTrips {
  Section loop;
  std::vector<Section> children;
};

// children: the trip counts before, empty where the rank does not run a node;
// once: see Wrap; iterations: of the parent.
WrappedTrips WrapTrips(uint64_t iterations, const std::vector<bool>& once,
                       std::vector<Section> children);

// Replaces children wrap.first..wrap.last of a loop by one loop around them,
// which runs once in each iteration of the parent in which one of them ran,
// or, on a rank that runs only one of them, as often as that one (Wrap::once).
// parent_trips: the parent's trip counts; nullptr for the root (one
// iteration). Streams stay as they are.
void WrapChildren(const Parameter* parent_trips, const Wrap& wrap,
                  std::vector<Node>* children);

}  // namespace ranksight::reduction
