#include "online_model/join/costs.h"

#include <gtest/gtest.h>

#include <array>

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

}  // namespace
}  // namespace ranksight::online_model
