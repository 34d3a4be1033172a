// Traces with chosen times, for tests: a loop over events, each with its own
// call site, the same on every rank.
#pragma once

#include <string>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::testing {

struct SyntheticEvent {
  reduction::Call call = reduction::Call::MPI_Barrier_;
  uint64_t offset = 0;         // of its one frame
  double compute_seconds = 0;  // per rank, over all occurrences
  double call_seconds = 0;
  uint64_t occurrences = 10;  // per rank
};

struct SyntheticRun {
  std::string program = "app", build_id = "b1", job = "job";
  int64_t ranks = 4;
  double elapsed_seconds = 0;  // 0: what the events add up to
  std::vector<SyntheticEvent> events;
};

inline reduction::Moments Repeated(double value, uint64_t count) {
  reduction::Moments m;
  m.count = count;
  m.sum = value * double(count);
  m.sum_squares = value * value * double(count);
  m.min = m.max = value;
  return m;
}

inline reduction::Node MakeEvent(const SyntheticRun& run,
                                 const SyntheticEvent& e, uint32_t site) {
  reduction::Node node;
  node.kind = reduction::Node::Kind::kEvent;
  node.call = e.call;
  node.site = site;
  const uint64_t ranks = uint64_t(run.ranks);
  const double compute_ns = e.compute_seconds * 1e9 / double(e.occurrences);
  const double call_ns = e.call_seconds * 1e9 / double(e.occurrences);
  node.times.compute.first = Repeated(compute_ns, ranks);
  node.times.call.first = Repeated(call_ns, ranks);
  node.times.compute.ranks = node.times.compute.first;
  node.times.call.ranks = node.times.call.first;
  const uint64_t rest = ranks * (e.occurrences - 1);
  if (rest > 0) {
    node.times.compute.rest.Restore(
        Repeated(compute_ns, rest),
        reduction::Sketch::BucketOf(uint64_t(compute_ns)), {rest});
    node.times.call.rest.Restore(Repeated(call_ns, rest),
                                 reduction::Sketch::BucketOf(uint64_t(call_ns)),
                                 {rest});
  }
  // MPI_Barrier has one parameter, the communicator: world, 0.
  for (int64_t rank = 0; rank < run.ranks; ++rank) {
    node.trips.Add(rank, reduction::Section::Constant(1, e.occurrences), false);
  }
  node.params.resize(reduction::Info(e.call).params.size());
  for (auto& param : node.params) {
    for (int64_t rank = 0; rank < run.ranks; ++rank) {
      param.Add(rank, reduction::Section::Constant(0, e.occurrences), false);
    }
  }
  return node;
}

// Every event stands in a loop of its own, as often as it occurs.
inline reduction::Trace MakeTrace(const SyntheticRun& run) {
  reduction::Trace trace;
  trace.meta.program = run.program;
  trace.meta.build_id = run.build_id;
  trace.meta.job = run.job;
  trace.meta.ranks = run.ranks;
  trace.sites.modules.push_back({run.build_id, run.program});
  double sum = 0;
  for (size_t i = 0; i < run.events.size(); ++i) {
    const SyntheticEvent& e = run.events[i];
    reduction::CallSite site;
    site.frames.push_back({0, e.offset});
    trace.sites.sites.push_back(site);
    reduction::Node loop;
    for (int64_t rank = 0; rank < run.ranks; ++rank) {
      loop.trips.Add(
          rank, reduction::Section::Constant(int64_t(e.occurrences), 1), false);
    }
    loop.children.push_back(MakeEvent(run, e, uint32_t(i)));
    trace.root.children.push_back(std::move(loop));
    sum += e.compute_seconds + e.call_seconds;
  }
  const double elapsed = run.elapsed_seconds > 0 ? run.elapsed_seconds : sum;
  trace.meta.elapsed = Repeated(elapsed * 1e9, uint64_t(run.ranks));
  trace.meta.complete_until_ns = int64_t(elapsed * 1e9);
  return trace;
}

}  // namespace ranksight::testing
