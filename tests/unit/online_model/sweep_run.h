// Runs of a wavefront over a grid of columns x rows ranks, row by row, whose
// times are known in closed form, for tests: in each step a rank receives from
// its left and its upper neighbour, computes, and sends to the right and down.
// Which calls computation stands before depends on the edge a rank is at.
#pragma once

#include <algorithm>

#include "tests/unit/online_model/made_run.h"

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
  MadeRank made;
  double clock = 0, computed = 0;
  const auto add = [&](Call call, uint64_t place, int64_t peer, double until) {
    made.Message(call, place, peer, s.bytes, computed, until - clock);
    clock = std::max(clock, until);
    computed = 0;
  };
  const int64_t rank = y * s.columns + x;
  for (int64_t step = 0; step < s.steps; ++step) {
    // When a neighbour on the diagonal before this one has sent its message.
    const double there =
        double(x + y + step) * s.compute + double(x + y) * s.message;
    if (x > 0) add(Call::MPI_Recv_, 2, rank - 1, there);
    if (y > 0) add(Call::MPI_Recv_, 3, rank - s.columns, there);
    clock += s.compute;
    computed = s.compute;
    if (x + 1 < s.columns) add(Call::MPI_Send_, 4, rank + 1, 0);
    if (y + 1 < s.rows) add(Call::MPI_Send_, 5, rank + s.columns, 0);
  }
  return made.End(rank, s.columns * s.rows, clock, computed);
}

inline reduction::Trace SweepRun(const Sweep& s) {
  return MadeRun("sweep", s.columns * s.rows, [&](int64_t rank) {
    return SweepRank(s, rank % s.columns, rank / s.columns);
  });
}

}  // namespace ranksight::testing
