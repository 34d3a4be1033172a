// Runs of a pipeline whose times are known in closed form, for tests: in
// each step rank r receives from r - 1, computes, and sends to r + 1. With
// computation c and messages that take m, rank r has step s behind it at
// (r + s + 1) c + r m. The last rank ends when its last message is there.
#pragma once

#include <algorithm>

#include "tests/unit/online_model/made_run.h"

namespace ranksight::testing {

struct Pipeline {
  int64_t ranks = 4, steps = 5, bytes = 1000;
  double compute = 1e-3;  // seconds a step
  double message = 1e-4;  // seconds from rank to rank
};

inline double PipelineSeconds(const Pipeline& p) {
  return double(p.ranks + p.steps - 2) * p.compute +
         double(p.ranks - 1) * p.message;
}

inline reduction::Trace PipelineRank(const Pipeline& p, int64_t rank) {
  using reduction::Call;
  MadeRank made;
  double clock = 0;
  for (int64_t s = 0; s < p.steps; ++s) {
    if (rank > 0) {
      const double there =
          double(rank + s) * p.compute + double(rank) * p.message;
      const bool computed = rank + 1 == p.ranks && s > 0;
      made.Message(Call::MPI_Recv_, 2, rank - 1, p.bytes,
                   computed ? p.compute : 0, there - clock);
      clock = std::max(clock, there);
    }
    if (rank + 1 == p.ranks && s + 1 == p.steps) break;
    clock += p.compute;
    if (rank + 1 < p.ranks) {
      made.Message(Call::MPI_Send_, 3, rank + 1, p.bytes, p.compute, 0);
    }
  }
  return made.End(rank, p.ranks, clock);
}

inline reduction::Trace PipelineRun(const Pipeline& p) {
  return MadeRun("pipeline", p.ranks,
                 [&](int64_t rank) { return PipelineRank(p, rank); });
}

}  // namespace ranksight::testing
