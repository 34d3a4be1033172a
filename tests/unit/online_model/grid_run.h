// Runs of an open grid of side x side ranks, for tests: in each step a rank
// computes, sends to its neighbours and receives from them, and where asked for
// all meet in a barrier. A step takes the computation and a message.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/unit/online_model/made_run.h"

namespace ranksight::testing {

struct GridRun {
  int64_t side = 4, steps = 10, bytes = 1000;
  bool barrier = false;
  bool rooted = false;  // a reduction and a broadcast at the end of a step
  // Neighbours take turns in who sends first, so that long messages pass.
  bool in_turn = false;
  double compute = 1e-4;  // seconds a step
  double message = 1e-5;  // seconds from rank to rank
};

inline std::vector<int64_t> GridPeers(const GridRun& g, int64_t rank) {
  const int64_t x = rank % g.side, y = rank / g.side;
  std::vector<int64_t> peers(4, -1);
  if (x > 0) peers[0] = rank - 1;
  if (x + 1 < g.side) peers[1] = rank + 1;
  if (y > 0) peers[2] = rank - g.side;
  if (y + 1 < g.side) peers[3] = rank + g.side;
  return peers;
}

inline reduction::Trace GridRank(const GridRun& g, int64_t rank) {
  using reduction::Call;
  MadeRank made;
  const std::vector<int64_t> peers = GridPeers(g, rank);
  const bool receives_first =
      g.in_turn && (rank % g.side + rank / g.side) % 2 == 1;
  for (int64_t s = 0; s < g.steps; ++s) {
    double computed = g.compute, waits = g.message;
    for (size_t i = 0; i < 8; ++i) {
      const bool receives = (i >= 4) != receives_first;
      // What is sent to the left is received from the right.
      const int64_t peer = peers[receives ? (i % 4) ^ 1 : i % 4];
      if (peer < 0) continue;
      made.Message(receives ? Call::MPI_Recv_ : Call::MPI_Send_, 2 + i, peer,
                   g.bytes, std::exchange(computed, 0),
                   receives ? std::exchange(waits, 0) : 0);
    }
    if (g.barrier) made.Barrier(20, 0, 0);
    if (!g.rooted) continue;
    made.Collective(Call::MPI_Reduce_, 21, 0, 0);
    made.Collective(Call::MPI_Bcast_, 22, 0, 0);
  }
  return made.End(rank, g.side * g.side,
                  double(g.steps) * (g.compute + g.message));
}

inline reduction::Trace MergedGridRanks(const GridRun& g, int64_t from,
                                        int64_t to) {
  if (to - from == 1) return GridRank(g, from);
  const int64_t middle = (from + to) / 2;
  return *reduction::Merge(MergedGridRanks(g, from, middle),
                           MergedGridRanks(g, middle, to));
}

inline reduction::Trace MadeGridRun(const GridRun& g) {
  reduction::Trace trace = MergedGridRanks(g, 0, g.side * g.side);
  trace.meta.program = "grid";
  trace.meta.build_id = "b1";
  trace.meta.job = "grid-" + std::to_string(g.side);
  return trace;
}

}  // namespace ranksight::testing
