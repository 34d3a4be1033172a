#include <algorithm>
#include <utility>

#include "online_model/api/named_network.h"
#include "online_model/forecast/event_table.h"
#include "online_model/join/costs.h"
#include "online_model/walk/calibrate.h"

namespace ranksight::online_model {
namespace {

using reduction::Moments;
using reduction::Result;
using reduction::Status;
using reduction::TimeSummary;
using reduction::Trace;

constexpr double kNsPerSecond = 1e9;

double LeastOf(const TimeSummary& t) {
  const Moments& rest = t.rest.moments();
  if (t.first.count == 0) return rest.min;
  return rest.count == 0 ? t.first.min : std::min(t.first.min, rest.min);
}

// All values, so that they add up to that.
void ScaleTo(double total, TimeSummary* t) {
  const double factor = t->Total() > 0 ? total / t->Total() : 0;
  t->first.Scale(factor);
  t->rest.Scale(factor);
  t->ranks.Scale(factor);
}

// A call that moves nothing and waits for nobody takes the least that it took:
// everything above is other ranks' turns.
void KeepLeastInCalls(Trace* run) {
  reduction::ForEachEvent(run->root, [](reduction::Node& event) {
    TimeSummary& call = event.times.call;
    ScaleTo(LeastOf(call) * double(call.Occurrences()), &call);
  });
}

void SetElapsed(double seconds, Trace* run) {
  run->meta.elapsed = Moments();
  run->meta.elapsed.Add(seconds * kNsPerSecond);
}

// What computation alone takes a mean rank.
double ComputedSeconds(const Trace& run) {
  double ns = 0;
  reduction::ForEachEvent(run.root, [&](const reduction::Node& event) {
    if (!BeginsRun(event.call)) ns += event.times.TotalCompute();
  });
  return ns / kNsPerSecond / double(run.meta.ranks);
}

// In-call seconds of an event of that number fall to its nodes by occurrences.
void SetInCalls(const std::vector<double>& in_call, CostTable* costs,
                Trace* run) {
  std::vector<double> occurrences(in_call.size());
  reduction::ForEachEvent(run->root, [&](const reduction::Node& event) {
    occurrences[costs->NumberOf(*run, event)] +=
        double(event.times.call.Occurrences());
  });
  reduction::ForEachEvent(run->root, [&](reduction::Node& event) {
    const uint32_t number = costs->NumberOf(*run, event);
    TimeSummary& call = event.times.call;
    if (occurrences[number] <= 0 || BeginsRun(event.call)) return;
    ScaleTo(in_call[number] * kNsPerSecond * double(call.Occurrences()) /
                occurrences[number],
            &call);
  });
}

Result<Walked> WalkAlone(const Trace& run, const NamedNetwork& network,
                         CostTable* costs) {
  const auto program = Compile(
      run, uint32_t(costs->events()),
      [&](const reduction::Node& node) { return costs->NumberOf(run, node); },
      costs->contexts());
  if (!program.ok()) return program.status();
  costs->AddProgram(run.meta.ranks, *program);
  costs->Separate();
  return Walk(*program, WithoutJitter(costs->At(run.meta.ranks)),
              NetworkOf(network));
}

}  // namespace

bool AnySharedCores(std::span<const Trace> runs) {
  return std::ranges::any_of(runs,
                             [](const Trace& t) { return t.meta.own_time; });
}

void RunTimes::Add(const Trace& run) {
  seconds_[run.meta.ranks].Add(SecondsOf(run));
}

void RunTimes::State(Forecast* f) const {
  for (MeasuredSize& size : f->sizes) {
    const auto known = seconds_.find(size.ranks);
    if (known != seconds_.end()) size.took_seconds = known->second.Mean();
  }
}

void RefuseUnwalked(const Status& why, Forecast* f) {
  for (ForecastPoint& p : f->points) {
    p.refused = true;
    p.reason =
        "ranks shared cores, so that a run has to be walked, and one cannot: " +
        why.message();
  }
}

Status PutOnNetwork(const NamedNetwork& network, Trace* run) {
  run->meta.own_time = true;
  Trace quiet = *run;
  KeepLeastInCalls(&quiet);
  CostTable costs;
  costs.Add(quiet);
  const auto walked = WalkAlone(quiet, network, &costs);
  if (!walked.ok()) {
    *run = std::move(quiet);
    SetElapsed(ComputedSeconds(*run), run);
    return walked.status();
  }
  SetInCalls(walked->in_call, &costs, run);
  SetElapsed(walked->seconds, run);
  return Status::Ok();
}

}  // namespace ranksight::online_model
