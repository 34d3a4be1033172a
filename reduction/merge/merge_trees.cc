#include "reduction/merge/merge_trees.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "reduction/api/pause.h"
#include "reduction/merge/align_lists.h"
#include "reduction/merge/wrap.h"

namespace ranksight::reduction {
namespace {

void WrapAll(const Parameter* trips, const std::vector<Wrap>& wraps,
             std::vector<Node>* children) {
  for (auto w = wraps.rbegin(); w != wraps.rend(); ++w) {
    WrapChildren(trips, *w, children);
  }
}

// Children of both lists in one: pairs united, the rest between them in code
// order.
std::vector<Node> Join(ParameterUniter* uniter, std::vector<Node> a,
                       std::vector<Node> b) {
  const auto pairs = PairChildren(a, b);
  std::vector<Node> joined;
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
    MergeTrees(uniter, &joined.back(), std::move(b[j++]));
  }
  take_until(a.size(), b.size());
  return joined;
}

// Takes the children first..last-1 out.
std::vector<Node> TakeOut(size_t first, size_t last, std::vector<Node>* list) {
  const auto begin = list->begin() + long(first);
  const auto end = list->begin() + long(last);
  std::vector<Node> out(std::make_move_iterator(begin),
                        std::make_move_iterator(end));
  list->erase(begin, end);
  return out;
}

// What both lists begin and end with is united as it stands: the search is
// for what lies between.
void MergeChildren(ParameterUniter* uniter, const Parameter* trips_a,
                   const Parameter* trips_b, std::vector<Node>* a,
                   std::vector<Node> b) {
  const size_t most = std::min(a->size(), b.size());
  size_t before = 0, after = 0;
  while (before < most && SameTree((*a)[before], b[before])) ++before;
  while (after < most - before &&
         SameTree(a->end()[-1 - long(after)], b.end()[-1 - long(after)])) {
    ++after;
  }
  for (size_t i = 0; i < before; ++i) {
    MergeTrees(uniter, &(*a)[i], std::move(b[i]));
  }
  for (size_t i = 1; i <= after; ++i) {
    MergeTrees(uniter, &a->end()[-long(i)], std::move(b.end()[-long(i)]));
  }
  std::vector<Node> middle_a = TakeOut(before, a->size() - after, a);
  std::vector<Node> middle_b = TakeOut(before, b.size() - after, &b);
  WrapAll(trips_b, FindWraps(middle_b, middle_a), &middle_b);
  WrapAll(trips_a, FindWraps(middle_a, middle_b), &middle_a);
  std::vector<Node> joined =
      Join(uniter, std::move(middle_a), std::move(middle_b));
  a->insert(a->begin() + long(before), std::make_move_iterator(joined.begin()),
            std::make_move_iterator(joined.end()));
}

}  // namespace

bool SameTree(const Node& a, const Node& b) {
  if (a.is_event() != b.is_event()) return false;
  if (a.is_event()) return a.call == b.call && a.site == b.site;
  if (a.children.size() != b.children.size()) return false;
  for (size_t i = 0; i < a.children.size(); ++i) {
    if (!SameTree(a.children[i], b.children[i])) return false;
  }
  return true;
}

void MergeTrees(Node* a, Node&& b) {
  ParameterUniter uniter;
  MergeTrees(&uniter, a, std::move(b));
  uniter.Discard();
}

void MergeTrees(ParameterUniter* uniter, Node* a, Node&& b) {
  Pause();
  if (a->is_event()) {
    uniter->Unite(&a->trips, std::move(b.trips), false);
    const auto params = Info(a->call).params;
    for (size_t i = 0; i < a->params.size(); ++i) {
      uniter->Unite(&a->params[i], std::move(b.params[i]), IsRank(params[i]));
    }
    a->times.Merge(b.times);
    // Released here, between two pauses, and not all of the tree at once.
    b = Node();
    return;
  }
  if (SameTree(*a, b)) {
    for (size_t i = 0; i < a->children.size(); ++i) {
      MergeTrees(uniter, &a->children[i], std::move(b.children[i]));
    }
  } else {
    const Parameter* trips_a = a->trips.empty() ? nullptr : &a->trips;
    const Parameter* trips_b = b.trips.empty() ? nullptr : &b.trips;
    MergeChildren(uniter, trips_a, trips_b, &a->children,
                  std::move(b.children));
  }
  uniter->Unite(&a->trips, std::move(b.trips), false);
}

void RemapSites(const std::vector<uint32_t>& map, Node* node) {
  if (node->is_event()) node->site = map[node->site];
  for (Node& child : node->children) RemapSites(map, &child);
}

}  // namespace ranksight::reduction
