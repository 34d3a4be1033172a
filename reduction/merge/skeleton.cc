#include "reduction/merge/skeleton.h"

#include <utility>

#include "reduction/api/pause.h"
#include "reduction/api/same_tree.h"
#include "reduction/merge/merge_lists.h"
#include "reduction/merge/wrap.h"

namespace ranksight::reduction {
namespace {

void WrapSkeletons(const std::vector<Wrap>& wraps,
                   std::vector<Skeleton>* children) {
  for (auto w = wraps.rbegin(); w != wraps.rend(); ++w) {
    WrapChildren(*w, children);
  }
}

}  // namespace

void WrapChildren(const Wrap& wrap, std::vector<Skeleton>* children) {
  Skeleton loop = TakeWrapped(wrap, children);
  FormSet several;
  for (const Skeleton& child : loop.children) {
    several.AddAll(loop.on.And(child.on));
    loop.on.AddAll(child.on);
  }
  for (size_t i = 0; i < loop.children.size(); ++i) {
    if (!wrap.once[i]) continue;
    // The only one that a form runs hands its repetitions to the loop.
    Skeleton& alone = loop.children[i];
    loop.twice.AddAll(alone.twice.Without(several));
    alone.twice = alone.twice.And(several);
  }
  (*children)[wrap.first] = std::move(loop);
}

void MergeTrees(Skeleton* a, Skeleton&& b) {
  Pause();
  a->on.AddAll(b.on);
  a->twice.AddAll(b.twice);
  if (a->is_event()) return;
  const auto unite = [](Skeleton* x, Skeleton&& y) {
    MergeTrees(x, std::move(y));
  };
  // Nothing to align: child by child.
  if (SameTree(*a, b)) {
    for (size_t i = 0; i < a->children.size(); ++i) {
      unite(&a->children[i], std::move(b.children[i]));
    }
    return;
  }
  MergeLists(&a->children, std::move(b.children), unite, WrapSkeletons,
             WrapSkeletons);
}

}  // namespace ranksight::reduction
