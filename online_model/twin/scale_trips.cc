#include "online_model/twin/scale_trips.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "online_model/twin/draw.h"
#include "online_model/twin/scales.h"
#include "online_model/twin/size_fit.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;

// How often a node runs on every rank that runs it; nothing where these differ.
std::optional<double> UniformRuns(const InputRun& input, size_t node) {
  std::optional<double> runs;
  for (const RankRun& run : input.runs) {
    if (run.nodes[node].empty()) continue;
    const auto n = double(run.nodes[node].starts.back());
    if (runs.value_or(n) != n) return std::nullopt;
    runs = n;
  }
  return runs;
}

bool HasDrawnSite(const TwinTree& tree, const TwinPlan& plan, int node) {
  const TwinTree::Item& item = tree.nodes[size_t(node)];
  if (item.like->is_event()) {
    return plan.exchange_of.count(SiteOf(*item.like)) > 0;
  }
  return std::any_of(
      item.children.begin(), item.children.end(),
      [&](int child) { return HasDrawnSite(tree, plan, child); });
}

bool IsUnused(const Node& node) {
  const auto runs = node.trips.ByRank();
  return std::ranges::all_of(
      runs, [](const auto& of_rank) { return of_rank.second.Sum() == 0; });
}

// Whether all that is called there is called by parts of the ranks together.
bool IsOfParts(const TwinTree& tree, int node) {
  const TwinTree::Item& item = tree.nodes[size_t(node)];
  if (item.like->is_event()) {
    // One shape of several that no rank of the largest input has says nothing.
    return IsUnused(*item.like) || (reduction::Info(item.like->call).family ==
                                        reduction::Family::kCollective &&
                                    !item.on_world);
  }
  return std::ranges::all_of(item.children,
                             [&](int child) { return IsOfParts(tree, child); });
}

void AddEvents(const TwinTree& tree, int node, std::vector<size_t>* events) {
  const TwinTree::Item& item = tree.nodes[size_t(node)];
  if (item.like->is_event()) events->push_back(size_t(node));
  for (const int child : item.children) AddEvents(tree, child, events);
}

// How many more calls parts of the ranks make together than their like ones do.
std::optional<double> ScaleOfParts(std::span<const InputRun> inputs,
                                   const std::vector<size_t>& events,
                                   const WantedSize& wanted) {
  const auto calls = [&events](const RankRun& run) {
    double sum = 0;
    for (const size_t n : events) {
      if (!run.nodes[n].empty()) sum += double(run.nodes[n].starts.back());
    }
    return sum;
  };
  std::vector<SizedValue> sums;
  for (const InputRun& input : inputs) {
    double sum = 0;
    for (const RankRun& run : input.runs) sum += calls(run);
    sums.push_back({input.ranks, sum, input.sides});
  }
  const InputRun& last = inputs.back();
  const std::vector<double> times = TimesTaken(wanted.ranks, last.ranks);
  double like = 0;
  for (size_t r = 0; r < last.runs.size(); ++r) {
    like += times[r] * calls(last.runs[r]);
  }
  if (like == 0) return std::nullopt;
  return GrowthOverLike(FitTotal(sums, wanted).value, like);
}

// What parts of the ranks do together there, oftener by one factor on all, so
// that those in one part, which do it as often, still do. The same loops may
// stand in several shapes, for ranks that go through them otherwise: unless all
// ranks run one loop alike, whole runs of all that follow one another are
// repeated, for then calls on one communicator keep their order.
void ScaleParts(const TwinTree& tree, const std::vector<int>& tops,
                std::span<const InputRun> inputs, TwinPlan* plan) {
  std::vector<size_t> events;
  for (const int top : tops) AddEvents(tree, top, &events);
  const auto scale = ScaleOfParts(inputs, events, {plan->ranks, plan->sides});
  if (!scale) return;
  if (tops.size() == 1 && UniformRuns(inputs.back(), size_t(tops[0]))) {
    plan->trip_scales[tops[0]] = *scale;
    return;
  }
  for (const int top : tops) {
    plan->repeats[top] = std::max<int64_t>(1, std::llround(*scale));
  }
}

}  // namespace

void ScaleTrips(const TwinTree& tree, std::span<const InputRun> inputs,
                TwinPlan* plan) {
  std::map<int, std::vector<int>> parts;  // by the loop around
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.copied || tree.nodes[size_t(item.parent)].copied ||
        HasDrawnSite(tree, *plan, int(n))) {
      continue;
    }
    if (!plan->groups.empty() && IsOfParts(tree, int(n))) {
      parts[item.parent].push_back(int(n));
      continue;
    }
    std::vector<SizedValue> runs;
    for (const InputRun& input : inputs) {
      const auto uniform = UniformRuns(input, n);
      if (!uniform) break;
      runs.push_back({input.ranks, *uniform});
    }
    if (runs.size() < inputs.size()) continue;
    plan->trip_scales[int(n)] =
        GrowthOverLike(FitMean(runs, plan->ranks).value, runs.back().value);
  }
  for (const auto& [loop, tops] : parts) ScaleParts(tree, tops, inputs, plan);
}

}  // namespace ranksight::online_model
