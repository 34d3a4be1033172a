#include "online_model/api/simulate.h"

#include <iterator>
#include <utility>

#include "online_model/join/by_classes.h"
#include "online_model/join/joiner.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

Network WalkedNetwork(const LinkNetwork& given, bool on_links) {
  const MessageCurve of_link(given.messages);
  NamedNetwork named;
  named.messages = given.messages;
  named.byte = of_link.byte();
  named.latency = on_links ? 0 : of_link.latency() * given.mean_hops;
  Network network = NetworkOf(named);
  if (!on_links) return network;
  // A node's link is one of those that are walked.
  network.gap = 0;
  network.links = given.links;
  network.hop = of_link.latency();
  network.link_byte = of_link.byte();
  return network;
}

// Seconds that a mean rank computes.
double MeanComputed(const Walked& walked, int64_t ranks) {
  double seconds = 0;
  for (const double of_event : walked.compute) seconds += of_event;
  return seconds / double(ranks);
}

class LinkSimulation {
 public:
  LinkSimulation(const Trace& trace, const LinkNetwork& given, const Stop& stop)
      : trace_(trace), given_(given), stop_(stop) {
    costs_.Add(trace);
  }

  Status Suppose(const WhatIf& what_if) {
    const auto factors =
        reduction::FactorsOf(what_if.site_scales, trace_.sites);
    if (!factors.ok()) return factors.status();
    there_.compute_scale = what_if.compute_scale;
    there_.bytes_scale = what_if.bytes_scale;
    if (what_if.site_scales.empty()) return Status::Ok();
    reduction::ForEachEvent(trace_.root, [&](const reduction::Node& node) {
      there_.compute_of_event[costs_.NumberOf(trace_, node)] =
          (*factors)[node.site];
    });
    return Status::Ok();
  }

  Result<SimulatedRun> Run() {
    SimulatedRun run;
    run.on_links = CountEvents(trace_) <= kMostEventsOnLinks;
    net_ = WalkedNetwork(given_, run.on_links);
    net_.bytes_scale = there_.bytes_scale;
    const auto program = run.on_links ? CompileRanks() : Classes(&run.blur);
    if (!program.ok()) return program.status();
    const auto times = WalkTimed(*program);
    if (!times.ok()) return times.status();
    run.seconds = times->walked.seconds;
    run.computed = MeanComputed(times->walked, trace_.meta.ranks);
    run.actors = int64_t(program->actors.size());
    return run;
  }

 private:
  Result<Program> CompileRanks() {
    return Compile(
        trace_, uint32_t(costs_.events()),
        [&](const reduction::Node& node) {
          return costs_.NumberOf(trace_, node);
        },
        costs_.contexts());
  }
  Result<Program> Classes(double* blur) {
    return CompileByClasses(
        trace_, &costs_,
        [&](const Program& program) { return WalkTimed(program); }, blur);
  }
  Result<WalkedTimes> WalkTimed(const Program& program) {
    if (!std::exchange(prepared_, true)) {
      costs_.AddProgram(trace_.meta.ranks, program);
      costs_.Separate();
    }
    WalkedTimes times;
    times.costs = there_.Of(costs_.At(trace_.meta.ranks), *costs_.contexts());
    // Calls that move nothing take no time in a simulation.
    for (EventCost& event : times.costs.events) event.local = 0;
    auto walked = Walk(program, times.costs, net_, stop_);
    if (!walked.ok()) return walked.status();
    times.walked = std::move(*walked);
    return times;
  }

  const Trace& trace_;
  const LinkNetwork& given_;
  const Stop& stop_;
  CostTable costs_;
  Elsewhere there_;
  Network net_;
  bool prepared_ = false;
};

}  // namespace

std::vector<AtBytes> SmpiMessages(double latency, double byte) {
  struct Factors {
    double from, latency, bandwidth;
  };
  constexpr Factors kFactors[] = {
      {0, 2.01467, 0.812084},     {257, 1.95341, 0.338112},
      {732, 1.9503, 0.341987},    {1426, 1.61075, 0.608902},
      {3484, 1.88101, 0.77493},   {5776, 2.18796, 1.08739},
      {9376, 2.59299, 0.58729},   {15424, 3.48845, 0.697866},
      {65472, 11.6436, 0.940694}, {1 << 24, 11.6436, 0.940694}};
  std::vector<AtBytes> messages;
  // A line through two lengths of each piece, near its ends.
  for (size_t i = 0; i + 1 < std::size(kFactors); ++i) {
    const Factors& f = kFactors[i];
    for (const double bytes : {f.from + 1, kFactors[i + 1].from - 1}) {
      messages.push_back(
          {bytes, latency * f.latency + bytes * byte / f.bandwidth});
    }
  }
  return messages;
}

Result<SimulatedRun> SimulateOnLinks(const Trace& trace,
                                     const LinkNetwork& network,
                                     const WhatIf& what_if, const Stop& stop) {
  LinkSimulation simulation(trace, network, stop);
  const Status supposed = simulation.Suppose(what_if);
  if (!supposed.ok()) return supposed;
  return simulation.Run();
}

}  // namespace ranksight::online_model
