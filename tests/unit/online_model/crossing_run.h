// Runs of pairs whose messages all cross one link, with times by the obvious
// recursion, for tests: in each step every even rank computes and sends to the
// next one, which receives. Messages pass the link one after the other, in the
// order of time, then of ranks.
#pragma once

#include <vector>

#include "tests/unit/online_model/pipeline_run.h"

namespace ranksight::testing {

struct Crossing {
  int64_t ranks = 4, steps = 20, bytes = 10000;
  double compute = 1e-4;    // seconds a step
  double latency = 1e-5;    // seconds behind the link
  double link_byte = 1e-9;  // seconds that a byte holds the link
};

// When the message of each pair is there, by step: [step][pair].
inline std::vector<std::vector<double>> Arrivals(const Crossing& c) {
  std::vector<std::vector<double>> there;
  double free = 0;
  for (int64_t s = 0; s < c.steps; ++s) {
    there.emplace_back();
    for (int64_t pair = 0; pair < c.ranks / 2; ++pair) {
      free = std::max(free, double(s + 1) * c.compute) +
             double(c.bytes) * c.link_byte;
      there.back().push_back(free + c.latency);
    }
  }
  return there;
}

inline double CrossingSeconds(const Crossing& c) {
  return Arrivals(c).back().back();
}

inline reduction::Trace CrossingRank(const Crossing& c, int64_t rank) {
  using reduction::Call;
  using reduction::Param;
  const bool sends = rank % 2 == 0;
  const auto arrivals = Arrivals(c);
  reduction::Folder folder;
  const uint32_t module = folder.AddModule({"b1", "app"});
  const auto site = [&](uint64_t offset) {
    return folder.AddSite({{{module, offset}}});
  };
  const auto ns = [](double seconds) {
    return uint64_t(std::llround(seconds * 1e9));
  };
  const uint32_t init = site(16), message = site(sends ? 32 : 48);
  const uint32_t finalize = site(64);
  folder.Push(PipelineEvent(Call::MPI_Init_, init, {}), 0, 1000);
  double clock = 0;
  for (int64_t s = 0; s < c.steps; ++s) {
    const double there = sends ? double(s + 1) * c.compute
                               : arrivals[size_t(s)][size_t(rank / 2)];
    folder.Push(PipelineEvent(
                    sends ? Call::MPI_Send_ : Call::MPI_Recv_, message,
                    {{Param::kPeer, sends ? rank + 1 : rank - 1},
                     {Param::kTag, 1},
                     {Param::kCount, c.bytes},
                     {Param::kTypeKind, reduction::TypeCodeByName("MPI_BYTE")},
                     {Param::kTypeSize, 1}}),
                sends ? ns(c.compute) : 0, sends ? 0 : ns(there - clock));
    clock = there;
  }
  folder.Push(PipelineEvent(Call::MPI_Finalize_, finalize, {}), 0, 1000);
  reduction::Trace trace = folder.Snapshot(rank, c.ranks);
  trace.meta.elapsed.Add(clock * 1e9);
  return trace;
}

inline reduction::Trace CrossingRun(const Crossing& c) {
  reduction::Trace trace = CrossingRank(c, 0);
  for (int64_t rank = 1; rank < c.ranks; ++rank) {
    trace = *reduction::Merge(std::move(trace), CrossingRank(c, rank));
  }
  trace.meta.program = "crossing";
  trace.meta.build_id = "b1";
  return trace;
}

}  // namespace ranksight::testing
