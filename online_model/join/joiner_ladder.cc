#include <utility>

#include "online_model/forecast/point.h"
#include "online_model/join/joiner.h"
#include "online_model/synthesize/symbolic.h"

namespace ranksight::online_model {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

Status Joiner::SetTimesOfLaws(const Forecaster& laws, Trace* symbolic) {
  std::vector<int64_t> measured;
  for (const auto& [ranks, trace] : first_) measured.push_back(ranks);
  const int64_t most = measured.back() * int64_t(kFurthest);
  auto steps =
      LadderSteps(*symbolic, options_.own_laws, std::move(measured), most);
  if (!steps.ok()) return steps.status();
  TimeLadder ladder;
  ladder.ranks = *steps;
  reduction::ForEachEvent(symbolic->root, [&](const reduction::Node&) {
    ladder.events.emplace_back();
  });
  const Forecast sums = laws.At(ladder.ranks);
  for (size_t i = 0; i < ladder.ranks.size(); ++i) {
    const double seconds = AddStep(laws, *symbolic, ladder.ranks[i], &ladder);
    const ForecastPoint& sum = sums.points[i];
    ladder.nanoseconds.push_back(
        1e9 * (seconds > 0 || sum.refused ? seconds : sum.seconds));
  }
  return SetLadder(std::move(ladder), options_.own_laws, symbolic);
}

double Joiner::AddStep(const Forecaster& laws, const Trace& symbolic,
                       int64_t ranks, TimeLadder* ladder) {
  // Of calls: a walk of some tenths of a second.
  constexpr uint64_t kMostWalked = 200'000;
  ExtrapolationRequest request;
  request.ranks = ranks;
  request.own_laws = options_.own_laws;
  std::vector<EventMeans> means;
  double seconds = 0;
  const auto made = FromLaws(symbolic, request);
  if (calibration_ && made.ok() && CountEvents(made->trace) <= kMostWalked) {
    const auto walk = WalkOnce(made->trace);
    if (walk.ok()) {
      seconds = walk->times.walked.seconds;
      means = MeansOf(*costs_.contexts(), walk->program, walk->times);
    }
  }
  std::optional<Costs> costs;
  if (seconds <= 0) means = MeansByLaws(laws, symbolic, ranks, &costs);
  size_t event = 0;
  reduction::ForEachEvent(symbolic.root, [&](const reduction::Node& node) {
    ladder->events[event++].push_back(
        StepOf(means[costs_.NumberOf(symbolic, node)], symbolic, node));
  });
  return seconds;
}

TimeLadder::Means Joiner::StepOf(const EventMeans& means, const Trace& symbolic,
                                 const reduction::Node& node) {
  TimeLadder::Means step;
  const auto& later = means.behind[kLater];
  const auto all = means.Of(later.empty() ? kFirst : kLater);
  step.compute = all.Mean();
  step.call = means.call;
  const auto events = costs_.EventAtSite(symbolic);
  for (const auto& part : node.times.rest_after.apart()) {
    const auto event = events.find(part.after);
    const auto known =
        event == events.end() ? later.end() : later.find(event->second);
    step.after.push_back(known == later.end() ? step.compute
                                              : known->second.Mean());
  }
  return step;
}

std::vector<EventMeans> Joiner::MeansByLaws(const Forecaster& laws,
                                            const Trace& made, int64_t ranks,
                                            std::optional<Costs>* costs) {
  std::vector<EventMeans> means(costs_.events());
  if (calibration_) {
    WalkedTimes times;
    Program program = runs_.back().program;
    // There is no program of that size: the largest run's, as if each rank did
    // as often what ranks do there.
    const double more = double(ranks) / double(program.ranks);
    for (auto& occurrences : program.occurrences) {
      for (double& n : occurrences) n *= more;
    }
    program.ranks = ranks;
    double half_width = 0;
    costs_.Separate();
    times.costs =
        OnNetwork(costs_.Extrapolate(program, INT64_MAX, &half_width));
    times.walked.in_call.resize(program.events);
    means = MeansOf(*costs_.contexts(), program, times);
    means.resize(costs_.events());
    *costs = std::move(times.costs);
  }
  const int64_t there[] = {ranks};
  reduction::ForEachEvent(made.root, [&](const reduction::Node& node) {
    EventMeans& event = means[costs_.NumberOf(made, node)];
    const auto law = laws.EventAt(made, node, there).front();
    event.call = law.call_ns;
    if (calibration_) return;
    const double n = double(node.times.call.Occurrences());
    event.behind[kLater][EventMeans::kNotKnown] = {n, n * law.compute_ns};
  });
  return means;
}

}  // namespace ranksight::online_model
