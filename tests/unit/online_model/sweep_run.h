// Runs of a wavefront over a grid of columns x rows ranks, row by row, whose
// times are known in closed form, for tests: in each step a rank receives from
// its left and its upper neighbour, computes, and sends to the right and down.
// Which calls computation stands before depends on the edge a rank is at.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/unit/online_model/pipeline_run.h"

namespace ranksight::testing {

struct Sweep {
  int64_t columns = 2, rows = 2, steps = 10, bytes = 1000;
  double compute = 1e-3;  // seconds a step
  double message = 1e-5;  // seconds from rank to rank
};

inline double SweepSeconds(const Sweep& s) {
  const double diagonal = double(s.columns + s.rows - 2);
  return (double(s.steps) + diagonal) * s.compute + diagonal * s.message;
}

inline reduction::Trace SweepRank(const Sweep& s, int64_t x, int64_t y) {
  using reduction::Call;
  using reduction::Param;
  reduction::Folder folder;
  const uint32_t module = folder.AddModule({"b1", "app"});
  std::vector<uint32_t> sites;
  for (uint64_t offset = 16; offset <= 96; offset += 16) {
    sites.push_back(folder.AddSite({{{module, offset}}}));
  }
  const auto ns = [](double seconds) {
    return uint64_t(std::llround(std::max(0.0, seconds) * 1e9));
  };
  double clock = 0, computed = 0;
  const auto add = [&](Call call, size_t site, int64_t peer, double until) {
    const reduction::Event e = PipelineEvent(
        call, sites[site],
        {{Param::kPeer, peer},
         {Param::kTag, 1},
         {Param::kCount, s.bytes},
         {Param::kTypeKind, reduction::TypeCodeByName("MPI_BYTE")},
         {Param::kTypeSize, 1}});
    folder.Push(e, ns(computed), ns(until - clock));
    clock = std::max(clock, until);
    computed = 0;
  };
  const int64_t rank = y * s.columns + x;
  folder.Push(PipelineEvent(Call::MPI_Init_, sites[0], {}), 0, 1000);
  for (int64_t step = 0; step < s.steps; ++step) {
    // When a neighbour on the diagonal before this one has sent its message.
    const double there =
        double(x + y + step) * s.compute + double(x + y) * s.message;
    if (x > 0) add(Call::MPI_Recv_, 1, rank - 1, there);
    if (y > 0) add(Call::MPI_Recv_, 2, rank - s.columns, there);
    clock += s.compute;
    computed = s.compute;
    if (x + 1 < s.columns) add(Call::MPI_Send_, 3, rank + 1, 0);
    if (y + 1 < s.rows) add(Call::MPI_Send_, 4, rank + s.columns, 0);
  }
  folder.Push(PipelineEvent(Call::MPI_Finalize_, sites[5], {}), ns(computed),
              1000);
  reduction::Trace trace = folder.Snapshot(rank, s.columns * s.rows);
  trace.meta.elapsed.Add(clock * 1e9);
  return trace;
}

inline reduction::Trace SweepRun(const Sweep& s) {
  reduction::Trace trace = SweepRank(s, 0, 0);
  for (int64_t rank = 1; rank < s.columns * s.rows; ++rank) {
    trace = *reduction::Merge(std::move(trace),
                              SweepRank(s, rank % s.columns, rank / s.columns));
  }
  trace.meta.program = "sweep";
  trace.meta.build_id = "b1";
  trace.meta.job = "sweep-" + std::to_string(s.columns * s.rows);
  return trace;
}

}  // namespace ranksight::testing
