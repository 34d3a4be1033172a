#include "bgq_support/mapping/swaps.h"

#include <cstdlib>
#include <vector>

#include "bgq_support/base/contract.h"
#include "bgq_support/mapping/swap_search.h"

namespace ranksight::bgq_support {
namespace {

// Up to this many messages are held one by one; above, layouts have to do.
// Twice the steps take twice the time, about two seconds as it is.
constexpr int64_t kMostMessages = 50'000;
constexpr int64_t kMostPlaces = int64_t{1} << 22;  // free ones are looked at
constexpr int64_t kMostSteps = 20'000'000;         // links gone along, in all

// Bytes on the links of a torus.
class TorusLoads {
 public:
  TorusLoads(const Machine& machine, const Routing& routing)
      : torus_(&machine.torus),
        both_ways_(routing.half_way == HalfWay::kBoth),
        turns_(TurnsOf(machine.torus, routing)),
        load_(static_cast<size_t>(torus_->dims()) * 2 * groups()) {
    for (int node = 0; node < torus_->nodes(); ++node) {
      coordinates_.push_back(torus_->CoordinatesOf(node));
    }
  }

  size_t groups() const { return static_cast<size_t>(torus_->nodes()); }
  size_t GroupOf(const Place& place) const {
    return static_cast<size_t>(place.node);
  }
  bool AreOne(const Place& a, const Place& b) const { return a.node == b.node; }
  template <typename Below>
  size_t GroupNear(size_t node, const Below& below) const {
    const auto around = torus_->Neighbours(static_cast<int>(node));
    const size_t which = below(around.size() + 1);
    return which < around.size() ? static_cast<size_t>(around[which]) : node;
  }
  void Carry(const Place& from, const Place& to, double bytes) {
    const Coordinates& a = coordinates_[GroupOf(from)];
    const Coordinates& b = coordinates_[GroupOf(to)];
    for (size_t dim = 0; dim < a.size(); ++dim) {
      if (a[dim] == b[dim]) continue;
      for (const Turn& turn : turns_.of_dim[dim]) {
        Coordinates here = a;
        for (size_t j = 0; j < a.size(); ++j) {
          if (turn.done >> j & 1) here[j] = b[j];
        }
        CarryTurn(dim, here, b[dim],
                  bytes * static_cast<double>(turn.weight) /
                      static_cast<double>(turns_.scale));
      }
    }
  }
  double squares() const { return squares_; }
  int64_t steps() const { return steps_; }

 private:
  void CarryTurn(size_t dim, const Coordinates& here, int to, double bytes) {
    const Dimension& d = torus_->dimensions()[dim];
    const int offset = torus_->Offset(static_cast<int>(dim), here[dim], to);
    if (d.wraps && 2 * offset == d.length && both_ways_) {
      Walk(dim, here, offset, bytes / 2);
      Walk(dim, here, -offset, bytes / 2);
    } else {
      Walk(dim, here, offset, bytes);
    }
  }

  void Walk(size_t dim, Coordinates here, int offset, double bytes) {
    const int length = torus_->dimensions()[dim].length;
    const bool up = offset > 0;
    const size_t lines = (dim * 2 + (up ? 1 : 0)) * groups();
    for (int hops = std::abs(offset); hops-- > 0; ++steps_) {
      double& load = load_[lines + static_cast<size_t>(torus_->NodeAt(here))];
      squares_ += bytes * (2 * load + bytes);
      load += bytes;
      here[dim] = (here[dim] + (up ? 1 : length - 1)) % length;
    }
  }

  const Torus* torus_;
  bool both_ways_;
  Turns turns_;
  std::vector<Coordinates> coordinates_;
  std::vector<double> load_;
  double squares_ = 0;
  int64_t steps_ = 0;
};

std::vector<Place> FreePlaces(const Machine& machine, const Mapping& mapping,
                              int ranks_per_node) {
  RANKSIGHT_REQUIRE(ranks_per_node > 0);
  const auto slots = static_cast<size_t>(ranks_per_node);
  const auto nodes = static_cast<size_t>(machine.torus.nodes());
  std::vector<Place> free;
  // On a machine this large ranks trade places with one another alone.
  if (nodes * slots > size_t{kMostPlaces}) return free;
  std::vector<bool> taken(nodes * slots, false);
  for (const Place& place : mapping.places()) {
    const auto slot = static_cast<size_t>(place.slot);
    if (slot < slots) {
      taken[static_cast<size_t>(place.node) * slots + slot] = true;
    }
  }
  for (size_t i = 0; i < taken.size(); ++i) {
    const auto node = static_cast<int32_t>(i / slots);
    if (taken[i] || machine.IsHole(node)) continue;
    free.push_back({node, static_cast<int32_t>(i % slots)});
  }
  return free;
}

}  // namespace

std::optional<Mapping> ImproveBySwaps(const Machine& machine,
                                      const Mapping& mapping,
                                      const Routing& routing,
                                      const Traffic& traffic,
                                      int ranks_per_node, uint64_t seed,
                                      const std::function<void(double)>& tell) {
  return SearchSwaps(TorusLoads(machine, routing), mapping,
                     FreePlaces(machine, mapping, ranks_per_node), traffic,
                     kMostMessages, kMostSteps, seed, tell);
}

}  // namespace ranksight::bgq_support
