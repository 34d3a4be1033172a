#include "reduction/api/memory.h"

#include <gtest/gtest.h>

#include <vector>

#include "reduction/api/merge.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {
namespace {

constexpr int64_t kPeriod = MemoryTimeline::kShortestNs;

TEST(Memory, PeriodsBecomeLongerWithTheRun) {
  MemoryTimeline along;
  for (int64_t i = 0; i < 64; ++i) along.Add(i * kPeriod, uint64_t(i));
  EXPECT_EQ(along.PeriodNs(), 4 * kPeriod);
  ASSERT_EQ(along.periods().size(), 16u);
  const MemoryLevel third = {4, 12, 15, 12 + 13 + 14 + 15};
  EXPECT_EQ(along.periods()[3], third);
}

TEST(Memory, MergedTimelinesDoNotDependOnTheOrder) {
  std::vector<MemoryTimeline> ranks(5);
  MemoryTimeline all;
  for (size_t r = 0; r < ranks.size(); ++r) {
    // Ranks that last from 3 to 163 periods.
    for (int64_t i = 0; i < 3 + int64_t(r) * 40; ++i) {
      const auto kib = uint64_t(100 + 7 * i % 13) * (r + 1);
      ranks[r].Add(i * kPeriod, kib);
    }
  }
  for (int64_t i = 162; i >= 0; --i) {
    for (size_t r = 0; r < ranks.size(); ++r) {
      if (i >= 3 + int64_t(r) * 40) continue;
      all.Add(i * kPeriod, uint64_t(100 + 7 * i % 13) * (r + 1));
    }
  }
  MemoryTimeline up, down;
  for (size_t r = 0; r < ranks.size(); ++r) {
    up.Merge(ranks[r]);
    down.Merge(ranks[ranks.size() - 1 - r]);
  }
  EXPECT_EQ(up, all);
  EXPECT_EQ(down, all);
}

TEST(Memory, AnyTimeHasAPeriod) {
  MemoryTimeline along;
  along.Add(INT64_MAX, 7);
  along.Add(-1, 3);
  EXPECT_LE(along.doublings(), MemoryTimeline::kMostDoublings);
  EXPECT_LE(along.periods().size(), MemoryTimeline::kPeriods);
  EXPECT_EQ(along.periods().back().max_kib, 7u);
  EXPECT_EQ(along.periods().front().min_kib, 3u);
}

TEST(Memory, MergingTracesCountsRanksOfWhichNothingIsKnown) {
  Trace a, b;
  a.meta.memory.peak.Add(4096);
  b.meta.memory.unknown = 1;
  ASSERT_TRUE(MergeInto(&a, b).ok());
  EXPECT_EQ(a.meta.memory.peak.count, 1u);
  EXPECT_EQ(a.meta.memory.unknown, 1u);
  EXPECT_TRUE(a.meta.memory.IsKnown());
}

}  // namespace
}  // namespace ranksight::reduction
