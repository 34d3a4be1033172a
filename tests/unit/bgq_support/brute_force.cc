#include "tests/unit/bgq_support/brute_force.h"

#include <algorithm>
#include <numeric>

#include "tests/unit/bgq_support/mixed_traffic.h"

namespace ranksight::bgq_support {
namespace {

// All orders in which this zone may take the dimensions.
std::vector<std::vector<int>> Orders(const Torus& torus, int zone) {
  const auto& d = torus.dimensions();
  const auto effective = [&](int i) {
    return d[size_t(i)].wraps ? d[size_t(i)].length / 2.0
                              : double(d[size_t(i)].length);
  };
  std::vector<int> order(d.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int>> found;
  do {
    bool allowed = true;
    for (size_t i = 0; i < order.size(); ++i) {
      for (size_t j = i + 1; j < order.size(); ++j) {
        const int a = order[i], b = order[j];  // a before b
        const int last = torus.dims() - 1;
        if (zone == 1) continue;
        if (zone == 3 && (a == last || b == last)) {
          allowed = allowed && a == last;
          continue;
        }
        if (effective(a) < effective(b)) allowed = false;
        if (zone == 0 || effective(a) != effective(b)) continue;
        const bool mesh_a = !d[size_t(a)].wraps, mesh_b = !d[size_t(b)].wraps;
        if (mesh_a != mesh_b ? mesh_b : a > b) allowed = false;
      }
    }
    if (allowed) found.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return found;
}

struct Walker {
  const Torus& torus;
  const Routing& routing;
  std::vector<uint64_t>* load;

  // From here on, dimensions order[at...], both ways with half the weight.
  void Walk(Coordinates here, const Coordinates& to,
            const std::vector<int>& order, size_t at, uint64_t weight) {
    if (at == order.size()) return;
    const auto dim = static_cast<size_t>(order[at]);
    const auto [length, wraps] = torus.dimensions()[dim];
    const int up = ((to[dim] - here[dim]) % length + length) % length;
    const int down = length - up;
    if (up == 0) return Walk(here, to, order, at + 1, weight);
    const bool both = wraps && up == down;
    if (!wraps) {
      Go(here, to, order, at, to[dim] > here[dim], weight);
    } else if (!both || routing.half_way == HalfWay::kPositive) {
      Go(here, to, order, at, up <= down, weight);
    } else {
      Go(here, to, order, at, true, weight / 2);
      Go(here, to, order, at, false, weight / 2);
    }
  }
  void Go(Coordinates here, const Coordinates& to,
          const std::vector<int>& order, size_t at, bool up, uint64_t weight) {
    const auto dim = static_cast<size_t>(order[at]);
    const int length = torus.dimensions()[dim].length;
    while (here[dim] != to[dim]) {
      (*load)[(dim * 2 + up) * size_t(torus.nodes()) +
              size_t(torus.NodeAt(here))] += weight;
      here[dim] = (here[dim] + (up ? 1 : length - 1)) % length;
    }
    Walk(here, to, order, at + 1, weight);
  }
};

}  // namespace

std::vector<uint64_t> WalkEveryMessage(const Machine& machine,
                                       const Mapping& mapping,
                                       const Routing& routing,
                                       const Traffic& traffic, uint64_t scale) {
  const Torus& torus = machine.torus;
  std::vector<uint64_t> load(size_t(torus.dims()) * 2 * size_t(torus.nodes()),
                             0);
  Walker walker{torus, routing, &load};
  const auto orders = Orders(torus, routing.zone);
  // So that halves of halves in each order stay whole.
  const uint64_t halves = uint64_t{1} << torus.dims();
  const auto send = [&](int64_t from, int64_t to, uint64_t bytes) {
    for (const auto& order : orders) {
      walker.Walk(torus.CoordinatesOf(mapping.places()[size_t(from)].node),
                  torus.CoordinatesOf(mapping.places()[size_t(to)].node), order,
                  0, bytes * halves * scale);
    }
  };
  ForEveryMessage(traffic, send);
  for (uint64_t& v : load) v /= halves * orders.size();
  return load;
}

}  // namespace ranksight::bgq_support
