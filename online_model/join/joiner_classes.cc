// Walks of many ranks as of classes of them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "online_model/join/by_classes.h"
#include "online_model/join/joiner.h"
#include "online_model/walk/rank_classes.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

// Events of a trace that is walked rank by rank anyway: some tenths of a second
// a walk.
constexpr uint64_t kFewEvents = 1 << 20;
// How far around them ranks are looked at. Twice as far is four times as many
// classes of a grid.
constexpr int kRounds = 8;
// Walks that look so far, and half as far, are that close; else the far away
// matters, and what is farther away may.
constexpr double kClose = 0.02;
// Spreads that are less than rounding of nanoseconds makes.
constexpr double kNoSpread = 1e-3;

// Whether ranks differ in what the program computes.
bool AnySpread(const Program& program, const Costs& costs,
               const ContextTable& contexts) {
  for (const Occasion occasion : {kFirst, kLater}) {
    const auto& often = program.occurrences[occasion];
    for (size_t c = 0; c < often.size(); ++c) {
      if (often[c] <= 0 || costs.compute[occasion][c] <= 0) continue;
      const uint32_t event = contexts.contexts()[c].event;
      const ComputeSpread& s = costs.events[event].spread[occasion];
      if (std::max(s.between, s.within) > kNoSpread) return true;
    }
  }
  return false;
}

}  // namespace

Result<Program> Joiner::CompileTarget(const Trace& trace, const Stop& stop,
                                      Effort effort, double* blur) {
  *blur = 0;
  if (CountEvents(trace) <= kFewEvents)
    return CompileTrace(trace, LinksThere());
  // Where links are known each rank has a place of its own.
  auto program =
      linked()
          ? Status::No("each rank has its place")
          : CompileByClasses(
                trace, &costs_,
                [&](const Program& classes) { return TimesOf(classes, stop); },
                blur);
  if (program.ok() || effort == Effort::kLittle) return program;
  *blur = 0;
  if (const Status s = stop ? stop() : Status::Ok(); !s.ok()) return s;
  return CompileTrace(trace, LinksThere());
}

Result<Program> CompileByClasses(const Trace& trace, CostTable* costs,
                                 const TimedWalk& walk, double* blur) {
  *blur = 0;
  const auto classes = RankClasses::Find(
      trace, uint32_t(costs->events()),
      [&](const reduction::Node& node) { return costs->NumberOf(trace, node); },
      costs->contexts());
  if (!classes.ok()) return classes.status();
  RankClasses::Depth depth;
  auto program = classes->Within(kRounds, false, &depth);
  if (!program.ok()) return program.status();
  auto times = walk(*program);
  if (!times.ok()) return times.status();
  // One rank stands for its class where computation has no spread; elsewhere
  // samples of each class are walked.
  const bool samples = AnySpread(*program, times->costs, *costs->contexts());
  if (samples) {
    program = classes->Within(depth.rounds, true, &depth);
    if (!program.ok()) return program.status();
    times = walk(*program);
    if (!times.ok()) return times.status();
  }
  if (depth.exact) return program;
  // Classes of half the rounds that give the same time say that what is farther
  // away matters to nobody.
  RankClasses::Depth half;
  const auto coarser = classes->Within(depth.rounds / 2, samples, &half);
  if (!coarser.ok()) return coarser.status();
  const auto there = walk(*coarser);
  if (!there.ok()) return there.status();
  *blur = std::abs(std::log(there->walked.seconds / times->walked.seconds));
  if (!(*blur < kClose)) {
    return Status::No("what is far away matters to ranks");
  }
  return program;
}

}  // namespace ranksight::online_model
