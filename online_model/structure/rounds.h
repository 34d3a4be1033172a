// Rounds: where in the loops around it a node runs, so that its trips and
// parameters may follow the place in a loop even where some iterations skip
// it: a level of a multigrid that a rank sits out, a stage without a partner.
//
// A round is one visit of a loop: n iterations, of which iteration k runs
// the node so many times. Thread-safety: value types, pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "online_model/structure/pattern.h"

namespace ranksight::online_model {

struct Round {
  // Longest round that is kept iteration by iteration.
  static constexpr int64_t kMost = 1 << 16;

  int64_t iterations = 0;     // 0: visits differ, the loop is of no use here
  int64_t each = 0;           // runs in every iteration, where they are equal
  std::vector<int64_t> runs;  // of each iteration, where they are not
  bool once = false;          // the loop has this one visit
  // How many iterations visits have in turn where that differs; only where each
  // runs the node once.
  std::vector<int64_t> visits;

  int64_t RunsAt(int64_t k) const {
    return runs.empty() ? each : runs[size_t(k)];
  }
  int64_t Total() const;
  int64_t Most() const;  // in one iteration
  // Whether it runs no more often than so many times, and in no more than kMost
  // iterations.
  bool IsWithin(uint64_t runs) const;
  bool usable() const { return iterations > 0; }
};

// The same with `step` iterations taken as one; of no use where that leaves
// some over. REQUIRES: no more iterations than kMost where runs differ.
Round Grouped(const Round& round, int64_t step);

// For one rank, a round of each loop around, outermost first.
using Rounds = std::vector<Round>;

// Rounds of the children of a node with these trips; `rounds` are those of
// the node's own parent.
Rounds Within(const Rounds& rounds, const Pattern& trips);
// The same, and one for the loop itself, where it runs as often at every visit
// at which it runs at all. Every loop adds one, an event that runs several
// times as well, so that rounds have the same places on all ranks.
Rounds Around(Rounds rounds, const Pattern& trips);

}  // namespace ranksight::online_model
