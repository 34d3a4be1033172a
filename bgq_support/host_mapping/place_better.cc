#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "bgq_support/api/host_traffic.h"
#include "bgq_support/host_mapping/swaps.h"
#include "bgq_support/host_mapping/tiles.h"
#include "bgq_support/mapping/sample.h"
#include "bgq_support/mapping/work_share.h"
#include "bgq_support/torus/shape_text.h"

namespace ranksight::bgq_support {
namespace {

auto ScoreOf(const HostTraffic& traffic) {
  return std::tuple(traffic.Busiest(), traffic.between_hosts(),
                    traffic.between_packages());
}

class Placer {
 public:
  Placer(int hosts, const Mapping& given, const PackageRule& rule,
         const Traffic& traffic, const HostSearch& search)
      : hosts_(hosts),
        given_(given),
        rule_(rule),
        traffic_(traffic),
        search_(search),
        places_(given.places()),
        budget_(search.message_budget),
        share_(search.tell_share) {
    std::sort(
        places_.begin(), places_.end(),
        [&](const Place& a, const Place& b) { return KeyOf(a) < KeyOf(b); });
    for (const Flow& flow : traffic.flows) messages_ += flow.count;
    for (const Exchange& e : traffic.exchanges) {
      messages_ += static_cast<int64_t>(e.members.size());
    }
  }

  std::optional<HostPlacement> Run(std::string* reason) {
    auto traffic = ComputeHostTraffic(hosts_, given_, rule_, traffic_, reason);
    if (!traffic) return std::nullopt;
    best_.emplace(
        HostPlacement{given_, std::move(*traffic), "the given order"});
    share_.Plan(
        std::min(double(budget_), 2 * double(kKept) * double(messages_)));
    share_.Plan(kSwapMessages);
    for (const KnownMapping& known : search_.known) {
      Try(known.mapping, known.name);
    }
    TryTiles();
    share_.LeaveOnly(kSwapMessages);
    double taken = 0;
    const auto swapped = SwapBetweenHosts(
        hosts_, best_->mapping, rule_, traffic_, search_.seed,
        [&](double share) {
          share_.Do((share - std::exchange(taken, share)) * kSwapMessages);
        });
    if (swapped) Try(std::move(*swapped), best_->how + ", ranks swapped");
    return std::move(best_);
  }

 private:
  static constexpr size_t kKept = 12;  // tilings
  // What a search by swaps counts: it takes as long as so many messages.
  static constexpr double kSwapMessages = 50e6;

  std::tuple<int32_t, int, int32_t> KeyOf(const Place& place) const {
    return {place.node, rule_.shape.PackageOf(place.slot, rule_.cyclic),
            place.slot};
  }

  // Exactly. Keeps the mapping when it is the best.
  void Try(Mapping mapping, const std::string& how) {
    budget_ -= messages_;
    share_.Do(double(messages_));
    std::string reason;
    auto traffic =
        ComputeHostTraffic(hosts_, mapping, rule_, traffic_, &reason);
    if (traffic && ScoreOf(*traffic) < ScoreOf(best_->traffic)) {
      best_.emplace(
          HostPlacement{std::move(mapping), std::move(*traffic), how});
    }
  }

  // Ranks of each stretch of places with the same key; 0 where they differ.
  template <class Key>
  int64_t EqualStretch(Key&& key) const {
    int64_t length = 0, first = 0;
    for (size_t i = 0; i < places_.size(); ++i) {
      ++length;
      const bool ends =
          i + 1 == places_.size() || key(places_[i]) != key(places_[i + 1]);
      if (!ends) continue;
      if (first == 0) first = length;
      if (length != first) return 0;
      length = 0;
    }
    return first;
  }

  void TryTiles() {
    // Messages to find the grid, and to compare boxes.
    constexpr int64_t kCoarse = 256, kFine = 4096;
    constexpr size_t kGrids = 6;
    const int64_t of_host =
        EqualStretch([](const Place& place) { return place.node; });
    if (of_host == 0) return;
    const auto coarse = Sample(traffic_, kCoarse, search_.seed);
    const auto fine = Sample(traffic_, kFine, search_.seed + 1);
    std::vector<SampledTiling> all;
    for (const Lengths& grid : LikelyGrids(coarse, given_.ranks(), kGrids)) {
      for (const Lengths& tile : BoxesOf(grid, of_host)) {
        all.push_back(SampleTiling(fine, {grid, tile, tile}));
      }
    }
    std::stable_sort(all.begin(), all.end());
    if (all.size() > kKept) all.erase(all.begin() + kKept, all.end());
    for (const SampledTiling& candidate : all) {
      if (budget_ <= 0) return;
      const Tiling parted = WithParts(candidate.tiling, fine);
      TryTiling(parted);
      // The parts were chosen by a sample.
      if (parted.part != candidate.tiling.part) TryTiling(candidate.tiling);
    }
  }

  // The tiles cut for packages, too, where these have as many ranks each.
  Tiling WithParts(const Tiling& tiling,
                   const std::vector<SampledMessage>& messages) const {
    if (rule_.by_rank) return tiling;  // parts are not for us to choose
    const int64_t of_package = EqualStretch([&](const Place& place) {
      return std::pair(std::get<0>(KeyOf(place)), std::get<1>(KeyOf(place)));
    });
    if (of_package == 0) return tiling;
    return CutForParts(tiling, of_package, messages);
  }

  void TryTiling(const Tiling& tiling) {
    std::vector<Place> places(places_.size());
    const std::vector<int64_t> order = tiling.Order();
    for (size_t i = 0; i < order.size(); ++i) {
      places[static_cast<size_t>(order[i])] = places_[i];
    }
    std::string how =
        "tiles " + ShapeText(tiling.tile) + " of " + ShapeText(tiling.grid);
    if (tiling.part != tiling.tile) how += " in " + ShapeText(tiling.part);
    Try(Mapping(std::move(places)), how);
  }

  const int hosts_;
  const Mapping& given_;
  const PackageRule rule_;
  const Traffic& traffic_;
  const HostSearch& search_;
  std::vector<Place> places_;  // by host, package, slot
  int64_t messages_ = 0, budget_;
  WorkShare share_;
  std::optional<HostPlacement> best_;
};

}  // namespace

std::optional<HostPlacement> PlaceBetter(int hosts, const Mapping& given,
                                         const PackageRule& rule,
                                         const Traffic& traffic,
                                         const HostSearch& search,
                                         std::string* reason) {
  return Placer(hosts, given, rule, traffic, search).Run(reason);
}

}  // namespace ranksight::bgq_support
