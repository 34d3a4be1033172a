#include "online_model/api/setting.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/online_model/synthetic_run.h"

namespace ranksight::online_model {
namespace {

using testing::MakeTrace;
using testing::SyntheticRun;

std::vector<reduction::Trace> RunsOf(const std::vector<int64_t>& sizes) {
  std::vector<reduction::Trace> runs;
  for (const int64_t size : sizes) {
    for (const int64_t ranks : {4, 8, 16}) {
      SyntheticRun run;
      run.ranks = ranks;
      const double work = 1e-3 * double(size) / double(ranks);
      run.events = {{reduction::Call::MPI_Barrier_, 16, work, 1e-4, 10},
                    {reduction::Call::MPI_Barrier_, 32, work, 1e-4, 5}};
      runs.push_back(MakeTrace(run));
      runs.back().meta.params["size"] = std::to_string(size);
    }
  }
  return runs;
}

// Values are searched one after the other, each as far as the others.
TEST(RunsAtSetting, TellHowMuchOfAllValuesIsSearched) {
  std::vector<double> told;
  const auto made = RunsAtSetting(
      RunsOf({8, 16, 32}),
      {.name = "size", .value = 64, .tell_share = [&](double share) {
         told.push_back(share);
       }});
  ASSERT_TRUE(made.ok()) << made.status().message();
  ASSERT_FALSE(told.empty());
  EXPECT_LE(told.front(), 1. / 3);
  EXPECT_GT(told.front(), 0);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_DOUBLE_EQ(told.back(), 1);
}

}  // namespace
}  // namespace ranksight::online_model
