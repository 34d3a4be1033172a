#include "reduction/merge/align_lists.h"

#include <algorithm>
#include <utility>

#include "reduction/api/pause.h"
#include "reduction/merge/skeleton.h"

namespace ranksight::reduction {
namespace {

// A call site as a number: sites are numbered alike on both sides.
template <class NodeT>
uint64_t KeyOf(const NodeT& event) {
  return (uint64_t(event.site) << 16) | uint64_t(event.call);
}

template <class NodeT>
void CollectKeys(const NodeT& node, std::vector<uint64_t>* keys) {
  if (node.is_event()) keys->push_back(KeyOf(node));
  for (const NodeT& child : node.children) CollectKeys(child, keys);
}

// Call sites with the indices of the children they stand below, sorted.
using Index = std::vector<std::pair<uint64_t, size_t>>;

template <class NodeT>
Index IndexByKey(const std::vector<NodeT>& list) {
  Index index;
  std::vector<uint64_t> keys;
  for (size_t i = 0; i < list.size(); ++i) {
    Pause();
    keys.clear();
    CollectKeys(list[i], &keys);
    for (const uint64_t k : keys) index.emplace_back(k, i);
  }
  std::sort(index.begin(), index.end());
  return index;
}

// Children of the indexed list that share a call site with node, ascending.
template <class NodeT>
std::vector<size_t> Sharing(const NodeT& node, const Index& index) {
  std::vector<uint64_t> keys;
  CollectKeys(node, &keys);
  std::vector<size_t> found;
  for (const uint64_t k : keys) {
    auto it = std::lower_bound(index.begin(), index.end(),
                               std::pair<uint64_t, size_t>(k, 0));
    for (; it != index.end() && it->first == k; ++it) {
      found.push_back(it->second);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool AtMostOnce(const Node& node) {
  const auto trips = node.trips.ByRank();
  return std::all_of(trips.begin(), trips.end(),
                     [](const auto& of) { return of.second.Max() <= 1; });
}

bool AtMostOnce(const Skeleton& node) { return node.twice.empty(); }

// For each wrapped child: see Wrap.
template <class NodeT>
std::vector<bool> OnceInLoop(const std::vector<NodeT>& list, size_t first,
                             size_t last, const NodeT& loop) {
  std::vector<bool> once;
  for (size_t i = first; i <= last; ++i) {
    const auto same = std::find_if(
        loop.children.begin(), loop.children.end(), [&](const NodeT& n) {
          return n.is_event() && list[i].is_event() &&
                 KeyOf(n) == KeyOf(list[i]);
        });
    once.push_back(same != loop.children.end() && AtMostOnce(*same));
  }
  return once;
}

}  // namespace

template <class NodeT>
uint32_t FirstSite(const NodeT& node) {
  if (node.is_event()) return node.site;
  uint32_t first = UINT32_MAX;
  for (const NodeT& child : node.children) {
    first = std::min(first, FirstSite(child));
  }
  return first;
}

template <class NodeT>
std::vector<Wrap> FindWraps(const std::vector<NodeT>& list,
                            const std::vector<NodeT>& other) {
  const Index in_list = IndexByKey(list);
  const Index in_other = IndexByKey(other);
  std::vector<Wrap> wraps;
  for (size_t g = 0; g < other.size(); ++g) {
    Pause();
    if (other[g].is_event()) continue;
    const auto shared = Sharing(other[g], in_list);
    if (shared.empty()) continue;
    if (shared.size() == 1 && !list[shared[0]].is_event()) continue;
    Wrap wrap{shared.front(), shared.back(), {}};
    // Nothing between may belong to another node of the other list: it would be
    // torn apart.
    const bool clean = std::all_of(
        list.begin() + long(wrap.first), list.begin() + long(wrap.last) + 1,
        [&](const NodeT& child) {
          const auto back = Sharing(child, in_other);
          return back.empty() || (back.size() == 1 && back[0] == g);
        });
    const bool free =
        std::none_of(wraps.begin(), wraps.end(), [&wrap](const Wrap& w) {
          return w.first <= wrap.last && wrap.first <= w.last;
        });
    if (!clean || !free) continue;
    wrap.once = OnceInLoop(list, wrap.first, wrap.last, other[g]);
    wraps.push_back(std::move(wrap));
  }
  std::sort(wraps.begin(), wraps.end(),
            [](const Wrap& a, const Wrap& b) { return a.first < b.first; });
  return wraps;
}

template <class NodeT>
std::vector<std::pair<size_t, size_t>> PairChildren(
    const std::vector<NodeT>& a, const std::vector<NodeT>& b) {
  const Index in_b = IndexByKey(b);
  // Longest ascending chain of pairs: ends[l] is the pair that ends the
  // chain of length l + 1 with the least index in b.
  struct Link {
    size_t a, b;
    long previous;
  };
  std::vector<Link> links;
  std::vector<size_t> ends;
  for (size_t i = 0; i < a.size(); ++i) {
    Pause();
    std::vector<size_t> partners = Sharing(a[i], in_b);
    for (auto j = partners.rbegin(); j != partners.rend(); ++j) {
      if (a[i].is_event() != b[*j].is_event()) continue;
      const auto at = std::lower_bound(
          ends.begin(), ends.end(), *j,
          [&links](size_t link, size_t v) { return links[link].b < v; });
      const size_t length = size_t(at - ends.begin());
      links.push_back({i, *j, length == 0 ? -1 : long(ends[length - 1])});
      if (at == ends.end()) {
        ends.push_back(links.size() - 1);
      } else {
        *at = links.size() - 1;
      }
    }
  }
  std::vector<std::pair<size_t, size_t>> pairs;
  for (long l = ends.empty() ? -1 : long(ends.back()); l >= 0;
       l = links[size_t(l)].previous) {
    pairs.emplace_back(links[size_t(l)].a, links[size_t(l)].b);
  }
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

template uint32_t FirstSite(const Node&);
template uint32_t FirstSite(const Skeleton&);
template std::vector<Wrap> FindWraps(const std::vector<Node>&,
                                     const std::vector<Node>&);
template std::vector<Wrap> FindWraps(const std::vector<Skeleton>&,
                                     const std::vector<Skeleton>&);
template std::vector<std::pair<size_t, size_t>> PairChildren(
    const std::vector<Node>&, const std::vector<Node>&);
template std::vector<std::pair<size_t, size_t>> PairChildren(
    const std::vector<Skeleton>&, const std::vector<Skeleton>&);

}  // namespace ranksight::reduction
