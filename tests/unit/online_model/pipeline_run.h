// Runs of a pipeline whose times are known in closed form, for tests: in
// each step rank r receives from r - 1, computes, and sends to r + 1. With
// computation c and messages that take m, rank r has step s behind it at
// (r + s + 1) c + r m. The last rank ends when its last message is there.
#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "reduction/api/folder.h"
#include "reduction/api/merge.h"

namespace ranksight::testing {

struct Pipeline {
  int64_t ranks = 4, steps = 5, bytes = 1000;
  double compute = 1e-3;  // seconds a step
  double message = 1e-4;  // seconds from rank to rank
};

inline reduction::Event PipelineEvent(
    reduction::Call call, uint32_t site,
    const std::map<reduction::Param, int64_t>& values) {
  reduction::Event e(call);
  e.site = site;
  for (const reduction::Param p : reduction::Info(call).params) {
    const auto it = values.find(p);
    e.Add(it == values.end() ? 0 : it->second);
  }
  return e;
}

inline double PipelineSeconds(const Pipeline& p) {
  return double(p.ranks + p.steps - 2) * p.compute +
         double(p.ranks - 1) * p.message;
}

inline reduction::Trace PipelineRank(const Pipeline& p, int64_t rank) {
  using reduction::Call;
  using reduction::Param;
  reduction::Folder folder;
  const uint32_t module = folder.AddModule({"b1", "app"});
  std::vector<uint32_t> sites;
  for (uint64_t offset = 16; offset <= 64; offset += 16) {
    sites.push_back(folder.AddSite({{{module, offset}}}));
  }
  const auto message = [&](Call call, uint32_t site, int64_t peer) {
    return PipelineEvent(
        call, site,
        {{Param::kPeer, peer},
         {Param::kTag, 1},
         {Param::kCount, p.bytes},
         {Param::kTypeKind, reduction::TypeCodeByName("MPI_BYTE")},
         {Param::kTypeSize, 1}});
  };
  const auto ns = [](double seconds) {
    return uint64_t(std::llround(seconds * 1e9));
  };
  folder.Push(PipelineEvent(Call::MPI_Init_, sites[0], {}), 0, 1000);
  double clock = 0;
  for (int64_t s = 0; s < p.steps; ++s) {
    if (rank > 0) {
      const double there =
          double(rank + s) * p.compute + double(rank) * p.message;
      const bool computed = rank + 1 == p.ranks && s > 0;
      folder.Push(message(Call::MPI_Recv_, sites[1], rank - 1),
                  computed ? ns(p.compute) : 0,
                  ns(std::max(0.0, there - clock)));
      clock = std::max(clock, there);
    }
    if (rank + 1 == p.ranks && s + 1 == p.steps) break;
    clock += p.compute;
    if (rank + 1 < p.ranks) {
      folder.Push(message(Call::MPI_Send_, sites[2], rank + 1), ns(p.compute),
                  0);
    }
  }
  folder.Push(PipelineEvent(Call::MPI_Finalize_, sites[3], {}), 0, 1000);
  reduction::Trace trace = folder.Snapshot(rank, p.ranks);
  trace.meta.elapsed.Add(clock * 1e9);
  return trace;
}

inline reduction::Trace PipelineRun(const Pipeline& p) {
  reduction::Trace trace = PipelineRank(p, 0);
  for (int64_t rank = 1; rank < p.ranks; ++rank) {
    trace = *reduction::Merge(std::move(trace), PipelineRank(p, rank));
  }
  trace.meta.program = "pipeline";
  trace.meta.build_id = "b1";
  trace.meta.job = "pipeline-" + std::to_string(p.ranks);
  return trace;
}

}  // namespace ranksight::testing
