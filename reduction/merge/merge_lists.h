// The children of two loops in one list.
//
// NodeT: Node or Skeleton. unite(NodeT* a, NodeT&& b) makes one of two that
// are the same; wrap_a and wrap_b(wraps, list) make loops around children.
// Thread-safety: as what they do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "reduction/api/same_tree.h"
#include "reduction/merge/align_lists.h"

namespace ranksight::reduction {

// Pairs united, the rest between them in code order.
template <class NodeT, class Unite>
std::vector<NodeT> JoinLists(std::vector<NodeT> a, std::vector<NodeT> b,
                             Unite unite) {
  const auto pairs = PairChildren(a, b);
  std::vector<NodeT> joined;
  size_t i = 0, j = 0;
  const auto take_until = [&](size_t end_a, size_t end_b) {
    while (i < end_a || j < end_b) {
      const bool from_a =
          j == end_b || (i < end_a && FirstSite(a[i]) <= FirstSite(b[j]));
      joined.push_back(from_a ? std::move(a[i++]) : std::move(b[j++]));
    }
  };
  for (const auto& [pa, pb] : pairs) {
    take_until(pa, pb);
    joined.push_back(std::move(a[i++]));
    unite(&joined.back(), std::move(b[j++]));
  }
  take_until(a.size(), b.size());
  return joined;
}

// Takes the elements first..last-1 out.
template <class NodeT>
std::vector<NodeT> TakeOut(size_t first, size_t last,
                           std::vector<NodeT>* list) {
  const auto begin = list->begin() + long(first);
  const auto end = list->begin() + long(last);
  std::vector<NodeT> out(std::make_move_iterator(begin),
                         std::make_move_iterator(end));
  list->erase(begin, end);
  return out;
}

// What both lists begin and end with is united as it stands: the search is
// for what lies between.
template <class NodeT, class Unite, class WrapA, class WrapB>
void MergeLists(std::vector<NodeT>* a, std::vector<NodeT> b, Unite unite,
                WrapA wrap_a, WrapB wrap_b) {
  const size_t most = std::min(a->size(), b.size());
  size_t before = 0, after = 0;
  while (before < most && SameTree((*a)[before], b[before])) ++before;
  while (after < most - before &&
         SameTree(a->end()[-1 - long(after)], b.end()[-1 - long(after)])) {
    ++after;
  }
  for (size_t i = 0; i < before; ++i) unite(&(*a)[i], std::move(b[i]));
  for (size_t i = 1; i <= after; ++i) {
    unite(&a->end()[-long(i)], std::move(b.end()[-long(i)]));
  }
  std::vector<NodeT> middle_a = TakeOut(before, a->size() - after, a);
  std::vector<NodeT> middle_b = TakeOut(before, b.size() - after, &b);
  wrap_b(FindWraps(middle_b, middle_a), &middle_b);
  wrap_a(FindWraps(middle_a, middle_b), &middle_a);
  std::vector<NodeT> joined =
      JoinLists(std::move(middle_a), std::move(middle_b), unite);
  a->insert(a->begin() + long(before), std::make_move_iterator(joined.begin()),
            std::make_move_iterator(joined.end()));
}

}  // namespace ranksight::reduction
