#include "bgq_support/api/routing.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {
namespace {

// Twice the effective length, to stay with integers.
int EffectiveTwice(const Dimension& d) {
  return d.wraps ? d.length : 2 * d.length;
}

uint64_t Factorial(size_t n) {
  RANKSIGHT_REQUIRE(n < 21);
  uint64_t product = 1;
  for (size_t i = 2; i <= n; ++i) product *= i;
  return product;
}

std::vector<int> LongestFirst(const Torus& torus) {
  std::vector<int> order(static_cast<size_t>(torus.dims()));
  std::iota(order.begin(), order.end(), 0);
  const auto& d = torus.dimensions();
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const Dimension& x = d[static_cast<size_t>(a)];
    const Dimension& y = d[static_cast<size_t>(b)];
    const int ex = EffectiveTwice(x), ey = EffectiveTwice(y);
    return ex != ey ? ex > ey : !x.wraps && y.wraps;
  });
  return order;
}

}  // namespace

std::optional<Routing> Routing::Parse(std::string_view text) {
  Routing routing;
  if (text.size() == 2 && text[1] == '+') {
    routing.half_way = HalfWay::kPositive;
    text.remove_suffix(1);
  }
  if (text.size() != 1 || text[0] < '0' || text[0] > '3') return std::nullopt;
  routing.zone = text[0] - '0';
  return routing;
}

std::vector<std::vector<int>> DimensionOrder(const Torus& torus,
                                             const Routing& routing) {
  const std::vector<int> order = LongestFirst(torus);
  if (routing.zone == 1) return {order};
  std::vector<std::vector<int>> groups;
  const auto& d = torus.dimensions();
  for (const int dim : order) {
    // Dimensions as long as one another are taken in any order in zone 0, so
    // they are one group.
    const bool joins =
        routing.zone == 0 && !groups.empty() &&
        EffectiveTwice(d[static_cast<size_t>(groups.back().back())]) ==
            EffectiveTwice(d[static_cast<size_t>(dim)]);
    if (!joins) groups.emplace_back();
    groups.back().push_back(dim);
  }
  if (routing.zone == 3) {
    const std::vector<int> last = {torus.dims() - 1};
    const auto at = std::find(groups.begin(), groups.end(), last);
    std::rotate(groups.begin(), at, at + 1);
  }
  return groups;
}

Turns TurnsOf(const Torus& torus, const Routing& routing) {
  const auto groups = DimensionOrder(torus, routing);
  Turns turns;
  turns.of_dim.resize(static_cast<size_t>(torus.dims()));
  for (const auto& group : groups) {
    turns.scale = std::max(turns.scale, Factorial(group.size()));
  }
  uint32_t before = 0;  // dimensions of earlier groups
  for (const auto& group : groups) {
    const size_t others = group.size() - 1;
    const uint64_t orders = turns.scale / Factorial(group.size());
    uint32_t members = 0;
    for (const int dim : group) members |= 1u << dim;
    for (const int dim : group) {
      const uint32_t rest = members & ~(1u << dim);
      // All subsets of the rest of the group, the empty one last.
      for (uint32_t subset = rest;; subset = (subset - 1) & rest) {
        const auto size = static_cast<size_t>(std::popcount(subset));
        turns.of_dim[static_cast<size_t>(dim)].push_back(
            {before | subset,
             orders * Factorial(size) * Factorial(others - size)});
        if (subset == 0) break;
      }
    }
    before |= members;
  }
  return turns;
}

}  // namespace ranksight::bgq_support
