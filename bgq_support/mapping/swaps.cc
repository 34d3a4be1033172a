#include "bgq_support/mapping/swaps.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "bgq_support/mapping/sample.h"

namespace ranksight::bgq_support {
namespace {

// Up to this many messages are held one by one; above, layouts have to do.
// Twice the steps take twice the time, about two seconds as it is.
constexpr int64_t kMostMessages = 50'000;
constexpr int64_t kMostSteps = 20'000'000;  // links gone along, in all

class SwapSearch {
 public:
  SwapSearch(const Machine& machine, const Mapping& mapping,
             const Routing& routing, std::vector<SampledMessage> messages,
             uint64_t seed)
      : torus_(machine.torus),
        both_ways_(routing.half_way == HalfWay::kBoth),
        turns_(TurnsOf(machine.torus, routing)),
        messages_(std::move(messages)),
        places_(mapping.places()),
        random_(seed) {
    of_rank_.resize(places_.size());
    of_node_.resize(static_cast<size_t>(torus_.nodes()));
    load_.assign(static_cast<size_t>(torus_.dims()) * 2 * of_node_.size(), 0);
    for (int node = 0; node < torus_.nodes(); ++node) {
      coordinates_.push_back(torus_.CoordinatesOf(node));
    }
    for (size_t rank = 0; rank < places_.size(); ++rank) {
      NodeOf(rank).push_back(rank);
    }
    for (size_t i = 0; i < messages_.size(); ++i) {
      of_rank_[static_cast<size_t>(messages_[i].from)].push_back(i);
      of_rank_[static_cast<size_t>(messages_[i].to)].push_back(i);
      Carry(messages_[i], 1);
    }
  }

  // True when anything was gained.
  bool Run() {
    bool any = false;
    while (steps_ < kMostSteps && failures_ < 20 * places_.size() + 1000) {
      if (TrySwap()) {
        any = true;
        failures_ = 0;
      } else {
        ++failures_;
      }
    }
    return any;
  }
  std::vector<Place> TakePlaces() { return std::move(places_); }

 private:
  std::vector<size_t>& NodeOf(size_t rank) {
    return of_node_[static_cast<size_t>(places_[rank].node)];
  }
  size_t Below(size_t n) { return random_() % n; }

  // Adds sign x its bytes to all links of a message; the sum of squares
  // follows.
  void Carry(const SampledMessage& m, double sign) {
    const int from = places_[static_cast<size_t>(m.from)].node;
    const int to = places_[static_cast<size_t>(m.to)].node;
    const Coordinates& a = coordinates_[static_cast<size_t>(from)];
    const Coordinates& b = coordinates_[static_cast<size_t>(to)];
    for (size_t dim = 0; dim < a.size(); ++dim) {
      if (a[dim] == b[dim]) continue;
      for (const Turn& turn : turns_.of_dim[dim]) {
        Coordinates here = a;
        for (size_t j = 0; j < a.size(); ++j) {
          if (turn.done >> j & 1) here[j] = b[j];
        }
        CarryTurn(dim, here, b[dim],
                  sign * m.bytes * static_cast<double>(turn.weight) /
                      static_cast<double>(turns_.scale));
      }
    }
  }

  void CarryTurn(size_t dim, const Coordinates& here, int to, double bytes) {
    const Dimension& d = torus_.dimensions()[dim];
    const int offset = torus_.Offset(static_cast<int>(dim), here[dim], to);
    if (d.wraps && 2 * offset == d.length && both_ways_) {
      Walk(dim, here, offset, bytes / 2);
      Walk(dim, here, -offset, bytes / 2);
    } else {
      Walk(dim, here, offset, bytes);
    }
  }

  void Walk(size_t dim, Coordinates here, int offset, double bytes) {
    const int length = torus_.dimensions()[dim].length;
    const bool up = offset > 0;
    const size_t lines = (dim * 2 + (up ? 1 : 0)) * of_node_.size();
    for (int hops = std::abs(offset); hops-- > 0; ++steps_) {
      double& load = load_[lines + static_cast<size_t>(torus_.NodeAt(here))];
      squares_ += bytes * (2 * load + bytes);
      load += bytes;
      here[dim] = (here[dim] + (up ? 1 : length - 1)) % length;
    }
  }

  // Somebody on the node of a partner of `rank`, or next to it.
  size_t NearPartner(size_t rank) {
    const auto& mine = of_rank_[rank];
    const SampledMessage& m = messages_[mine[Below(mine.size())]];
    const auto partner = static_cast<size_t>(
        m.from == static_cast<int64_t>(rank) ? m.to : m.from);
    int node = places_[partner].node;
    const auto around = torus_.Neighbours(node);
    const size_t which = Below(around.size() + 1);
    if (which < around.size()) node = around[which];
    const auto& there = of_node_[static_cast<size_t>(node)];
    return there.empty() ? partner : there[Below(there.size())];
  }

  void Exchange(size_t a, size_t b) {
    const auto carry = [&](double sign) {
      for (const size_t i : of_rank_[a]) Carry(messages_[i], sign);
      for (const size_t i : of_rank_[b]) {
        const SampledMessage& m = messages_[i];
        const auto other = static_cast<int64_t>(a);
        if (m.from != other && m.to != other) Carry(m, sign);
      }
    };
    carry(-1);
    std::replace(NodeOf(a).begin(), NodeOf(a).end(), a, b);
    // Now b stands twice if both are on one node, which callers exclude.
    auto& there = NodeOf(b);
    std::replace(there.begin(), there.end(), b, a);
    std::swap(places_[a], places_[b]);
    carry(1);
  }

  bool TrySwap() {
    const size_t a = Below(places_.size());
    if (of_rank_[a].empty()) return false;
    const size_t b = NearPartner(a);
    if (places_[a].node == places_[b].node) return false;
    const double before = squares_;
    Exchange(a, b);
    if (squares_ < before * (1 - 1e-9)) return true;
    Exchange(a, b);
    return false;
  }

  const Torus& torus_;
  const bool both_ways_;
  const Turns turns_;
  const std::vector<SampledMessage> messages_;
  std::vector<Place> places_;
  std::mt19937_64 random_;
  std::vector<std::vector<size_t>> of_rank_;  // messages
  std::vector<std::vector<size_t>> of_node_;  // ranks
  std::vector<Coordinates> coordinates_;
  std::vector<double> load_;
  double squares_ = 0;
  int64_t steps_ = 0;
  size_t failures_ = 0;
};

}  // namespace

std::optional<Mapping> ImproveBySwaps(const Machine& machine,
                                      const Mapping& mapping,
                                      const Routing& routing,
                                      const Traffic& traffic, uint64_t seed) {
  std::vector<SampledMessage> messages = AllMessages(traffic, kMostMessages);
  if (messages.empty()) return std::nullopt;
  SwapSearch search(machine, mapping, routing, std::move(messages), seed);
  if (!search.Run()) return std::nullopt;
  return Mapping(search.TakePlaces());
}

}  // namespace ranksight::bgq_support
