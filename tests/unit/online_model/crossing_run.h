// Runs of pairs whose messages all cross one link, with times by the obvious
// recursion, for tests: in each step every even rank computes and sends to the
// next one, which receives. Messages pass the link one after the other, in the
// order of time, then of ranks.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/unit/online_model/made_run.h"

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
  const bool sends = rank % 2 == 0;
  const auto arrivals = Arrivals(c);
  MadeRank made;
  double clock = 0;
  for (int64_t s = 0; s < c.steps; ++s) {
    if (sends) {
      clock = double(s + 1) * c.compute;
      made.Message(Call::MPI_Send_, 2, rank + 1, c.bytes, c.compute, 0);
      continue;
    }
    const double there = arrivals[size_t(s)][size_t(rank / 2)];
    made.Message(Call::MPI_Recv_, 3, rank - 1, c.bytes, 0, there - clock);
    clock = there;
  }
  return made.End(rank, c.ranks, clock);
}

inline reduction::Trace CrossingRun(const Crossing& c) {
  return MadeRun("crossing", c.ranks,
                 [&](int64_t rank) { return CrossingRank(c, rank); });
}

}  // namespace ranksight::testing
