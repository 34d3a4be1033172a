#include "replay_engine/schedule/torus_tuning.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "bgq_support/api/routing.h"

namespace ranksight::replay_engine {
namespace {

using bgq_support::Place;

constexpr double kNsPerSecond = 1e9;

constexpr size_t kNone = SIZE_MAX;

}  // namespace

TorusTuning::TorusTuning(const Placement& placement, const Tuning& tuning,
                         int64_t rank)
    : placement_(placement), tuning_(tuning) {
  const std::vector<Place>& places = placement.mapping.places();
  own_node_ = places[static_cast<size_t>(rank)].node;
  own_ = placement.machine.torus.CoordinatesOf(own_node_);
  const auto sharers =
      std::count_if(places.begin(), places.end(),
                    [&](const Place& p) { return p.node == own_node_; });
  ns_per_byte_ = kNsPerSecond / placement.machine.bandwidth *
                 static_cast<double>(sharers) * tuning.bytes_scale;
  const auto groups = bgq_support::DimensionOrder(placement.machine.torus,
                                                  bgq_support::Routing{});
  for (const std::vector<int>& group : groups) {
    dimension_order_.insert(dimension_order_.end(), group.begin(), group.end());
  }
}

std::span<const Turn> TorusTuning::Plan(uint32_t site,
                                        std::span<const Send> sends) {
  Known& known = known_[site];
  if (!std::equal(sends.begin(), sends.end(), known.sends.begin(),
                  known.sends.end())) {
    known.sends.assign(sends.begin(), sends.end());
    MakePlan(sends, &known.turns);
  }
  return known.turns;
}

TorusTuning::Way TorusTuning::WayOf(const Send& send) const {
  Way way;
  const std::vector<Place>& places = placement_.mapping.places();
  if (send.peer < 0 || send.peer >= static_cast<int64_t>(places.size())) {
    return way;
  }
  const bgq_support::Torus& torus = placement_.machine.torus;
  const auto there =
      torus.CoordinatesOf(places[static_cast<size_t>(send.peer)].node);
  way.hop_ns = ns_per_byte_ * static_cast<double>(send.bytes);
  for (const int dim : dimension_order_) {
    const auto d = static_cast<size_t>(dim);
    const int offset = torus.Offset(dim, own_[d], there[d]);
    if (offset == 0) continue;
    // Two directions for each dimension, down and up.
    const size_t direction = 2 * d + (offset > 0 ? 1 : 0);
    way.hops[direction] = std::abs(offset);
    if (way.first < 0) way.first = static_cast<int>(direction);
    way.longest_ns = std::max(way.longest_ns, way.hop_ns * std::abs(offset));
  }
  return way;
}

double TorusTuning::FreeAt(const Way& way) const {
  double at = 0;
  for (size_t i = 0; i < kDirections; ++i) {
    if (way.hops[i] > 0) at = std::max(at, links_.free_ns[i]);
  }
  return at;
}

// Whether send a should be posted before send b; the recorded order decides
// where nothing else does.
bool TorusTuning::Better(size_t a, size_t b) const {
  const auto key = [&](size_t i) {
    const Way& way = ways_[i];
    const bool on_links = way.first >= 0;
    const double free = tuning_.order ? FreeAt(way) : 0;
    const int64_t injected =
        tuning_.balance && on_links
            ? links_.injected[static_cast<size_t>(way.first)]
            : 0;
    const double shorter = tuning_.order ? -way.longest_ns : 0;
    const int direction = tuning_.order ? way.first : 0;
    return std::make_tuple(free, injected, shorter, direction, i);
  };
  return key(a) < key(b);
}

// The best of the sends that are first among those of their destination.
size_t TorusTuning::Next(std::span<const Send> sends) const {
  size_t best = kNone;
  for (size_t i = 0; i < sends.size(); ++i) {
    if (ways_[i].planned) continue;
    if (best != kNone && !Better(i, best)) continue;
    bool first = true;
    for (size_t j = 0; j < i && first; ++j) {
      first = ways_[j].planned || sends[j].peer != sends[i].peer ||
              sends[j].comm != sends[i].comm;
    }
    if (first) best = i;
  }
  return best;
}

void TorusTuning::MakePlan(std::span<const Send> sends,
                           std::vector<Turn>* turns) {
  ways_.clear();
  for (const Send& send : sends) ways_.push_back(WayOf(send));
  links_ = Links{};
  turns->clear();
  const bool in_order = !tuning_.order && !tuning_.balance;
  double last = 0;
  for (size_t n = 0; n < sends.size(); ++n) {
    const size_t i = in_order ? n : Next(sends);
    Way& way = ways_[i];
    way.planned = true;
    const double start = std::max(last, FreeAt(way));
    for (size_t d = 0; d < kDirections; ++d) {
      if (way.hops[d] > 0) links_.free_ns[d] = start + way.hop_ns * way.hops[d];
    }
    if (way.first >= 0) {
      links_.injected[static_cast<size_t>(way.first)] += sends[i].bytes;
    }
    // Without pacing all are posted at once; the order is that in which
    // links would become free.
    if (tuning_.pace) last = start;
    turns->push_back(
        {static_cast<uint32_t>(i), tuning_.pace ? std::llround(start) : 0});
  }
}

}  // namespace ranksight::replay_engine
