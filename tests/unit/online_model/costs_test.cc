#include "online_model/join/costs.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "tests/unit/online_model/compiled_run.h"
#include "tests/unit/online_model/made_run.h"

namespace ranksight::online_model {
namespace {

constexpr double kBehind[] = {1e-6, 5e-6, 20e-6};  // seconds, by branch

// One rank that branches three ways, each of which ends in the same barrier,
// behind computation of its own: `counts` says how often each.
reduction::Trace BranchingRun(const std::array<int, 3>& counts) {
  testing::MadeRank made;
  for (size_t branch = 0; branch < 3; ++branch) {
    for (int i = 0; i < counts[branch]; ++i) {
      made.Barrier(2 + branch, 0, 0);
      made.Barrier(5, kBehind[branch], 0);
    }
  }
  return made.End(0, 1, 1e-3);
}

// Seconds before an operation of the program, in their order, but the first
// occurrence of each event.
std::vector<double> ComputedIn(const Program& program, const Costs& costs) {
  std::vector<double> out;
  for (const Operation& op : program.operations) {
    if (op.leads && !op.first) out.push_back(costs.compute[kLater][op.context]);
  }
  return out;
}

// Mean and spread tell two kinds of places apart, not three.
TEST(CostTable, ComputationIsThatBehindTheCallBefore) {
  const testing::Compiled run = testing::CompileRun(BranchingRun({30, 20, 10}));
  const std::vector<double> computed = ComputedIn(run.program, run.costs.At(1));
  std::array<int, 3> seen{};
  for (const double seconds : computed) {
    for (size_t branch = 0; branch < 3; ++branch) {
      if (std::abs(seconds - kBehind[branch]) < 1e-12) ++seen[branch];
    }
  }
  // The very first one is a first occurrence.
  EXPECT_EQ(seen, (std::array<int, 3>{29, 20, 10}));
}

constexpr int kSteps = 10;
constexpr double kWork = 1e-3;  // seconds a step, of all ranks

// Steps of two calls, twice, and a third, behind which all work stands. Ranks
// of odd numbers, if `turned`, make the second call first.
reduction::Trace SteppingRun(int64_t ranks, bool turned) {
  return testing::MadeRun("steps", ranks, [=](int64_t rank) {
    const bool turns = turned && rank % 2 == 1;
    testing::MadeRank made;
    for (int i = 0; i < kSteps; ++i) {
      for (int call = 0; call < 4; ++call) {
        made.Barrier(2 + (call + turns) % 2,
                     call == 0 ? kWork / double(ranks) : 0, 0);
      }
      made.Barrier(4, 0, 0);
    }
    return made.End(rank, ranks, kSteps * kWork / double(ranks));
  });
}

TEST(CostTable, WhatStandsBehindACallIsDoneWhicheverCallIsNext) {
  CostTable table;
  const auto compile = [&table](const reduction::Trace& trace) {
    return *Compile(
        trace, uint32_t(table.events()),
        [&](const reduction::Node& n) { return table.NumberOf(trace, n); },
        table.contexts());
  };
  std::vector<reduction::Trace> runs;
  for (const int64_t ranks : {2, 4, 6}) {
    runs.push_back(SteppingRun(ranks, false));
    table.Add(runs.back());
  }
  for (const reduction::Trace& run : runs) {
    table.AddProgram(run.meta.ranks, compile(run));
  }
  constexpr int64_t kRanks = 8;
  const Program program = compile(SteppingRun(kRanks, true));
  table.Separate();
  double half_width = 0;
  const Costs costs = table.Extrapolate(program, INT64_MAX, &half_width);
  for (const Occasion occasion : {kFirst, kLater}) {
    const std::vector<double>& often = program.occurrences[occasion];
    double working = 0;
    for (size_t c = 0; c < often.size(); ++c) {
      if (often[c] == 0 || costs.compute[occasion][c] < 1e-9) continue;
      EXPECT_NEAR(costs.compute[occasion][c] / (kWork / kRanks), 1, 0.01);
      working += often[c];
    }
    EXPECT_EQ(working, occasion == kFirst ? kRanks : (kSteps - 1) * kRanks);
  }
}

}  // namespace
}  // namespace ranksight::online_model
