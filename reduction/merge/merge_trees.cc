#include "reduction/merge/merge_trees.h"

#include <utility>
#include <vector>

#include "reduction/api/contract.h"
#include "reduction/api/pause.h"
#include "reduction/merge/align_lists.h"
#include "reduction/merge/merge_lists.h"
#include "reduction/merge/wrap.h"

namespace ranksight::reduction {
namespace {

void WrapAll(const Parameter* trips, const std::vector<Wrap>& wraps,
             std::vector<Node>* children) {
  RANKSIGHT_REQUIRE(children != nullptr);
  for (auto w = wraps.rbegin(); w != wraps.rend(); ++w) {
    WrapChildren(trips, *w, children);
  }
}

}  // namespace

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
    const auto wrap_by = [](const Parameter& trips) {
      return [&trips](const std::vector<Wrap>& wraps, std::vector<Node>* list) {
        WrapAll(trips.empty() ? nullptr : &trips, wraps, list);
      };
    };
    MergeLists(
        &a->children, std::move(b.children),
        [uniter](Node* x, Node&& y) { MergeTrees(uniter, x, std::move(y)); },
        wrap_by(a->trips), wrap_by(b.trips));
  }
  uniter->Unite(&a->trips, std::move(b.trips), false);
}

void RemapSites(const std::vector<uint32_t>& map, Node* node) {
  if (node->is_event()) {
    node->site = map[node->site];
    node->times.first_after.Remap(map);
    node->times.rest_after.Remap(map);
  }
  for (Node& child : node->children) RemapSites(map, &child);
}

}  // namespace ranksight::reduction
