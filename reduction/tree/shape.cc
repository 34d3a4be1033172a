#include "reduction/tree/shape.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "reduction/api/contract.h"

namespace ranksight::reduction {
namespace {

int HeightOf(int64_t rank, int64_t size, int radix) {
  RANKSIGHT_REQUIRE(radix >= 2);
  RANKSIGHT_REQUIRE(rank >= 0 && rank < size);
  int height = 0;
  for (int64_t width = 1; width < size && rank % (width * radix) == 0;
       width *= radix) {
    if (rank + width < size) ++height;
  }
  return height;
}

}  // namespace

std::vector<TreeChild> ChildrenOf(int64_t rank, int64_t size, int radix) {
  RANKSIGHT_REQUIRE(radix >= 2);
  RANKSIGHT_REQUIRE(rank >= 0 && rank < size);
  std::vector<TreeChild> children;
  for (int64_t width = 1; width < size && rank % (width * radix) == 0;
       width *= radix) {
    for (int64_t k = 1; k < radix; ++k) {
      const int64_t from = rank + k * width;
      if (from >= size) break;
      children.push_back({from, std::min(width, size - from)});
    }
  }
  return children;
}

int64_t ParentOf(int64_t rank, int64_t size, int radix) {
  RANKSIGHT_REQUIRE(radix >= 2);
  RANKSIGHT_REQUIRE(rank >= 0 && rank < size);
  for (int64_t width = 1; width < size; width *= radix) {
    const int64_t first = rank / (width * radix) * (width * radix);
    if (rank != first) return first;
  }
  return -1;
}

namespace {

TreePlace PlaceInOrder(int64_t rank, int64_t size, int radix,
                       std::span<const int64_t> host_firsts) {
  RANKSIGHT_REQUIRE(radix >= 2);
  RANKSIGHT_REQUIRE(rank >= 0 && rank < size);
  constexpr int64_t kOneHost[] = {0};
  const auto firsts = host_firsts.empty() ? std::span(kOneHost) : host_firsts;
  const auto hosts = static_cast<int64_t>(firsts.size());
  const auto first_of = [&](int64_t host) {
    return host < hosts ? firsts[static_cast<size_t>(host)] : size;
  };
  const int64_t host =
      std::upper_bound(firsts.begin(), firsts.end(), rank) - firsts.begin() - 1;
  const int64_t first = first_of(host);
  const int64_t here = first_of(host + 1) - first;
  TreePlace place;
  for (const TreeChild& c : ChildrenOf(rank - first, here, radix)) {
    place.children.push_back({first + c.rank, c.ranks});
  }
  // A tree in each host, and one over the first rank of each. The heights of
  // all hosts count as that of the tallest, so that whoever waits knows for how
  // long.
  int tallest = 0;
  for (int64_t h = 0; h < hosts; ++h) {
    const int64_t ranks = first_of(h + 1) - first_of(h);
    tallest = std::max(tallest, HeightOf(0, ranks, radix));
  }
  place.tree_height = tallest + HeightOf(0, hosts, radix);
  if (rank != first) {
    place.parent = first + ParentOf(rank - first, here, radix);
    place.height = HeightOf(rank - first, here, radix);
    return place;
  }
  // The first rank of a host is its root within, and stands for it among the
  // hosts.
  for (const TreeChild& c : ChildrenOf(host, hosts, radix)) {
    const int64_t from = first_of(c.rank);
    place.children.push_back({from, first_of(c.rank + c.ranks) - from});
  }
  if (host > 0) place.parent = first_of(ParentOf(host, hosts, radix));
  place.height = tallest + HeightOf(host, hosts, radix);
  return place;
}

}  // namespace

TreePlace PlaceOf(int64_t rank, int64_t size, int radix,
                  const TreeOrder& order) {
  RANKSIGHT_REQUIRE(radix >= 2);
  RANKSIGHT_REQUIRE(rank >= 0 && rank < size);
  if (order.ranks.empty()) {
    return PlaceInOrder(rank, size, radix, order.host_firsts);
  }
  const auto at = std::find(order.ranks.begin(), order.ranks.end(), rank);
  TreePlace place =
      PlaceInOrder(at - order.ranks.begin(), size, radix, order.host_firsts);
  for (TreeChild& c : place.children) c.rank = order.ranks[size_t(c.rank)];
  if (place.parent >= 0) place.parent = order.ranks[size_t(place.parent)];
  return place;
}

TreeOrder OrderOfTorus(const std::vector<int64_t>& nodes) {
  TreeOrder order;
  std::vector<int64_t>& ranks = order.ranks;
  ranks.resize(nodes.size());
  std::iota(ranks.begin(), ranks.end(), int64_t{0});
  const auto node_of = [&nodes](int64_t rank) { return nodes[size_t(rank)]; };
  std::stable_sort(ranks.begin(), ranks.end(), [&](int64_t a, int64_t b) {
    return node_of(a) < node_of(b);
  });
  // Rank 0 must come first. It is the first of its node already, so going round
  // cuts no node in two.
  std::rotate(ranks.begin(), std::find(ranks.begin(), ranks.end(), 0),
              ranks.end());
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (i == 0 || node_of(ranks[i]) != node_of(ranks[i - 1])) {
      order.host_firsts.push_back(int64_t(i));
    }
  }
  if (order.host_firsts.size() == 1) order.host_firsts.clear();
  if (std::is_sorted(ranks.begin(), ranks.end())) ranks.clear();
  return order;
}

}  // namespace ranksight::reduction
