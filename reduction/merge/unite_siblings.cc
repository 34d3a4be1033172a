#include "reduction/merge/unite_siblings.h"

#include <algorithm>
#include <bitset>
#include <set>
#include <utility>
#include <vector>

#include "reduction/api/contract.h"
#include "reduction/merge/align_lists.h"
#include "reduction/merge/merge_trees.h"

namespace ranksight::reduction {
namespace {

// Longest list looked at; programs unrolled by hand have some hundred sites.
constexpr size_t kMostChildren = 1024;

using Bits = std::vector<uint64_t>;
using ChildSet = std::bitset<kMostChildren>;

bool Meet(const Bits& a, const Bits& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

Bits RanksOf(const Node& node, size_t ranks) {
  Bits bits((ranks + 63) / 64);
  for (const int64_t r : node.trips.Ranks().Expand()) {
    bits[size_t(r) / 64] |= uint64_t{1} << (r % 64);
  }
  return bits;
}

Bits RanksOf(const Skeleton& node, size_t forms) {
  Bits bits(node.on.words().begin(), node.on.words().end());
  bits.resize((forms + 63) / 64);
  return bits;
}

// The children of one loop, those that are united by the first of them, and
// which of them stand behind which on some rank, directly or by others
// between.
class List {
 public:
  template <class NodeT>
  List(size_t ranks, const std::vector<NodeT>& children)
      : n_(children.size()), first_(n_), after_(n_) {
    for (size_t i = 0; i < n_; ++i) {
      first_[i] = i;
      on_.push_back(RanksOf(children[i], ranks));
    }
    for (size_t i = n_; i-- > 0;) {
      for (size_t j = i + 1; j < n_; ++j) {
        if (!after_[i][j] && Meet(on_[i], on_[j])) {
          after_[i] |= after_[j];
          after_[i].set(j);
        }
      }
    }
  }

  bool IsFirst(size_t i) const { return first_[i] == i; }
  size_t first(size_t i) const { return first_[i]; }

  // i and j into one, where no rank runs both and neither stands behind the
  // other.
  bool Unite(size_t i, size_t j) {
    if (after_[i][j] || after_[j][i] || Meet(on_[i], on_[j])) return false;
    for (size_t w = 0; w < on_[i].size(); ++w) on_[i][w] |= on_[j][w];
    after_[i] |= after_[j];
    for (size_t k = 0; k < n_; ++k) {
      if (!after_[k][i] && !after_[k][j]) continue;
      after_[k] |= after_[i];
      after_[k].set(i);
    }
    first_[j] = i;
    return true;
  }

  // All that are left, each behind those it must stand behind, otherwise by
  // `place`.
  std::vector<size_t> Order(const std::vector<uint32_t>& place) const {
    std::vector<size_t> waits_for(n_, 0), order;
    for (size_t i = 0; i < n_; ++i) {
      for (size_t j = 0; IsFirst(i) && j < n_; ++j)
        waits_for[j] += after_[i][j];
    }
    std::set<std::pair<uint32_t, size_t>> ready;
    for (size_t i = 0; i < n_; ++i) {
      if (IsFirst(i) && waits_for[i] == 0) ready.emplace(place[i], i);
    }
    while (!ready.empty()) {
      const size_t i = ready.begin()->second;
      ready.erase(ready.begin());
      order.push_back(i);
      for (size_t j = 0; j < n_; ++j) {
        if (!IsFirst(j) || !after_[i][j] || --waits_for[j] != 0) continue;
        ready.emplace(place[j], j);
      }
    }
    return order;
  }

 private:
  size_t n_;
  std::vector<size_t> first_;
  std::vector<Bits> on_;
  std::vector<ChildSet> after_;
};

template <class NodeT>
void UniteList(size_t ranks, std::vector<NodeT>* children) {
  const size_t n = children->size();
  if (n < 2 || n > kMostChildren) return;
  List list(ranks, *children);
  bool united = false;
  for (size_t j = 1; j < n; ++j) {
    for (size_t i = 0; i < j && list.IsFirst(j); ++i) {
      if (!list.IsFirst(i) || !SameTree((*children)[i], (*children)[j])) {
        continue;
      }
      united |= list.Unite(i, j);
    }
  }
  // First who is united with whom, then the merging: it would change the trees
  // that are compared.
  if (!united) return;
  std::vector<uint32_t> place;
  for (const NodeT& child : *children) place.push_back(FirstSite(child));
  for (size_t j = 0; j < n; ++j) {
    if (list.IsFirst(j)) continue;
    MergeTrees(&(*children)[list.first(j)], std::move((*children)[j]));
  }
  std::vector<NodeT> ordered;
  for (const size_t i : list.Order(place)) {
    ordered.push_back(std::move((*children)[i]));
  }
  *children = std::move(ordered);
}

template <class NodeT>
void UniteBelow(size_t ranks, NodeT* loop) {
  UniteList(ranks, &loop->children);
  for (NodeT& child : loop->children) {
    if (!child.is_event()) UniteBelow(ranks, &child);
  }
}

}  // namespace

void UniteSiblings(int64_t ranks, Node* loop) {
  RANKSIGHT_REQUIRE(ranks > 0);
  RANKSIGHT_REQUIRE(loop != nullptr && !loop->is_event());
  UniteBelow(size_t(ranks), loop);
}

void UniteSiblings(size_t forms, Skeleton* loop) { UniteBelow(forms, loop); }

}  // namespace ranksight::reduction
