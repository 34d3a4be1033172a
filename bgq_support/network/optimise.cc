#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "bgq_support/api/network.h"
#include "bgq_support/host_mapping/tiles.h"
#include "bgq_support/mapping/work_share.h"
#include "bgq_support/torus/shape_text.h"

namespace ranksight::bgq_support {
namespace {

class Search {
 public:
  Search(const Network& network, const Traffic& traffic,
         const OptimiseOptions& options)
      : network_(network),
        traffic_(traffic),
        options_(options),
        budget_(options.message_budget),
        share_(options.tell_share) {
    for (const Flow& flow : traffic.flows) messages_ += flow.count;
    for (const Exchange& e : traffic.exchanges) {
      messages_ += static_cast<int64_t>(e.members.size());
    }
  }

  std::optional<OptimisedMapping> Run(int64_t ranks, std::string* reason) {
    auto standard =
        PlaceInOrder(network_, ranks, options_.ranks_per_node, reason);
    if (!standard) return std::nullopt;
    auto loads = ComputeLoads(network_, *standard, traffic_, reason);
    if (!loads) return std::nullopt;
    places_ = standard->places();
    PlanShare(ranks);
    best_.emplace(OptimisedMapping{std::move(*standard), std::move(*loads),
                                   "the default order"});
    for (const KnownMapping& known : options_.known) {
      Try(known.mapping, known.name);
    }
    TryTiles(ranks);
    TryScattered();
    return std::move(best_);
  }

 private:
  static constexpr size_t kKept = 6;  // tilings of a size
  static constexpr int kDraws = 4;    // of nodes, by chance

  // What will be looked at exactly, at most.
  void PlanShare(int64_t ranks) {
    size_t tilings = kDraws;
    for (const int64_t nodes : network_.Blocks()) {
      const int64_t of_tile = nodes * options_.ranks_per_node;
      if (of_tile <= ranks && ranks % of_tile == 0) tilings += kKept;
    }
    share_.Plan(std::min(double(budget_), double(messages_) * double(tilings)));
  }

  // Exactly. Keeps the mapping when it is the best.
  void Try(Mapping mapping, const std::string& how) {
    budget_ -= messages_;
    share_.Do(double(messages_));
    std::string reason;
    auto loads = ComputeLoads(network_, mapping, traffic_, &reason);
    if (loads && ScoreOf(*loads) < ScoreOf(best_->loads)) {
      best_.emplace(
          OptimisedMapping{std::move(mapping), std::move(*loads), how});
    }
  }
  std::pair<double, double> ScoreOf(const LinkLoads& loads) const {
    return {loads.MaxSeconds(network_), loads.HopBytes()};
  }

  // Boxes of a grid for the nodes below each switch, router or group, and in
  // them for each node.
  void TryTiles(int64_t ranks) {
    // As in PlaceBetter.
    constexpr int64_t kCoarse = 256, kFine = 4096;
    constexpr size_t kGrids = 6;
    const int64_t of_node = options_.ranks_per_node;
    if (ranks % of_node != 0) return;
    const auto coarse = Sample(traffic_, kCoarse, options_.seed);
    const auto fine = Sample(traffic_, kFine, options_.seed + 1);
    const std::vector<Lengths> grids = LikelyGrids(coarse, ranks, kGrids);
    for (const int64_t nodes : network_.Blocks()) {
      const int64_t of_tile = nodes * of_node;
      if (of_tile > ranks || ranks % of_tile != 0) continue;
      std::vector<SampledTiling> found;
      for (const Lengths& grid : grids) {
        for (const Lengths& tile : BoxesOf(grid, of_tile)) {
          found.push_back(SampleTiling(fine, {grid, tile, tile}));
        }
      }
      std::stable_sort(found.begin(), found.end());
      if (found.size() > kKept) found.resize(kKept);
      for (const SampledTiling& sampled : found) {
        if (budget_ <= 0) return;
        TryTiling(CutForParts(sampled.tiling, of_node, fine));
      }
    }
  }

  void TryTiling(const Tiling& tiling) {
    std::vector<Place> places(places_.size());
    const std::vector<int64_t> order = tiling.Order();
    for (size_t i = 0; i < order.size(); ++i) {
      places[static_cast<size_t>(order[i])] = places_[i];
    }
    Try(Mapping(std::move(places)), "tiles " + ShapeText(tiling.tile) + " of " +
                                        ShapeText(tiling.grid) + ", " +
                                        ShapeText(tiling.part) + " a node");
  }

  // The best so far with its nodes exchanged by chance.
  void TryScattered() {
    const Mapping start = best_->mapping;
    const std::string how = best_->how + ", nodes drawn by chance";
    std::mt19937_64 random(options_.seed);
    std::vector<int32_t> nodes(static_cast<size_t>(network_.nodes()));
    for (int draw = 0; draw < kDraws && budget_ > 0; ++draw) {
      std::iota(nodes.begin(), nodes.end(), 0);
      // std::shuffle differs between libraries.
      for (size_t i = nodes.size(); i > 1; --i) {
        std::swap(nodes[i - 1], nodes[random() % i]);
      }
      std::vector<Place> places = start.places();
      for (Place& place : places) {
        place.node = nodes[static_cast<size_t>(place.node)];
      }
      Try(Mapping(std::move(places)), how);
    }
  }

  const Network& network_;
  const Traffic& traffic_;
  const OptimiseOptions& options_;
  int64_t messages_ = 0, budget_;
  WorkShare share_;
  std::vector<Place> places_;  // of the default order
  std::optional<OptimisedMapping> best_;
};

}  // namespace

std::optional<OptimisedMapping> Optimise(const Network& network, int64_t ranks,
                                         const Traffic& traffic,
                                         const OptimiseOptions& options,
                                         std::string* reason) {
  if (const TorusNetwork* torus = network.torus()) {
    return Optimise(torus->machine, ranks, torus->routing, traffic, options,
                    reason);
  }
  return Search(network, traffic, options).Run(ranks, reason);
}

}  // namespace ranksight::bgq_support
