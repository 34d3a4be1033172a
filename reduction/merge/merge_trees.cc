#include "reduction/merge/merge_trees.h"

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

// The children of a and b in one list: pairs united, the rest between them
// in code order.
void MergeChildren(ParameterUniter* uniter, const Parameter* trips_a,
                   const Parameter* trips_b, std::vector<Node>* a,
                   std::vector<Node> b) {
  WrapAll(trips_b, FindWraps(b, *a), &b);
  WrapAll(trips_a, FindWraps(*a, b), a);
  const auto pairs = PairChildren(*a, b);
  std::vector<Node> merged;
  size_t i = 0, j = 0;
  const auto take_until = [&](size_t end_a, size_t end_b) {
    while (i < end_a || j < end_b) {
      const bool from_a =
          j == end_b || (i < end_a && FirstSite((*a)[i]) <= FirstSite(b[j]));
      merged.push_back(from_a ? std::move((*a)[i++]) : std::move(b[j++]));
    }
  };
  for (const auto& [pa, pb] : pairs) {
    take_until(pa, pb);
    merged.push_back(std::move((*a)[i++]));
    MergeTrees(uniter, &merged.back(), std::move(b[j++]));
  }
  take_until(a->size(), b.size());
  *a = std::move(merged);
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
