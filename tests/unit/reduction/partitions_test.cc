#include "reduction/api/partitions.h"

#include <gtest/gtest.h>

#include <vector>

#include "reduction/api/folder.h"
#include "reduction/api/merge.h"

namespace ranksight::reduction {
namespace {

using Counts = std::set<int64_t>;

// A message of 240 bytes at both ends, scaled.
int64_t All(int64_t partitions, double factor, const Counts& counts) {
  return partitions *
         ScaledPartition(240 / partitions, partitions, factor, counts);
}

TEST(Partitions, OfAMessageAddUpToTheSameHoweverItIsCut) {
  const Counts counts = {1, 2, 3, 4, 7, 8};  // nothing of 240 is cut into 7
  for (double factor = 0; factor < 9; factor += 0.013) {
    const double wanted = 240 * factor;
    const auto all = double(All(1, factor, counts));
    EXPECT_LE(all, wanted);
    EXPECT_GT(all, wanted - 24) << "the least that 1, 2, 3, 4 and 8 divide";
    for (const int64_t partitions : {2, 3, 4, 8}) {
      EXPECT_EQ(double(All(partitions, factor, counts)), all)
          << partitions << " partitions, times " << factor;
    }
  }
}

TEST(Partitions, AreRoundedByThemselvesWhereBothEndsCutAlike) {
  EXPECT_EQ(ScaledPartition(10, 4, 0.25, {4}), 2);
  EXPECT_EQ(ScaledPartition(10, 4, 2.59, {4, 9}), 25);
}

TEST(Partitions, TooLargeOrEmptyStaySo) {
  EXPECT_EQ(ScaledPartition(0, 4, 3, {4}), 0);
  EXPECT_EQ(ScaledPartition(7, 0, 3, {0}), 0);
  EXPECT_EQ(ScaledPartition(int64_t{1} << 61, 1, 9, {}), INT64_MAX);
  EXPECT_EQ(ScaledPartition(int64_t{1} << 61, 8, 0.1, {8}), INT64_MAX);
}

Trace Cutting(int64_t rank, const std::vector<int64_t>& counts) {
  Folder folder;
  const uint32_t module = folder.AddModule({"ab", "app"});
  for (size_t i = 0; i < counts.size(); ++i) {
    const Call call = rank == 0 ? Call::MPI_Psend_init_ : Call::MPI_Precv_init_;
    Event e(call);
    for (const Param p : Info(call).params) {
      e.Add(p == Param::kPartitions ? counts[i] : 1);
    }
    e.site = folder.AddSite({{{module, 16 + 16 * (i % 2)}}});
    folder.Push(e, 0, 0);
  }
  return folder.Snapshot(rank, 2);
}

TEST(Partitions, CountsAreThoseOfAllRanksAndCalls) {
  const auto trace =
      Merge(Cutting(0, {4, 5, 4, 6, 4, 7}), Cutting(1, {2, 2, 9, 2}));
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(PartitionCounts(*trace), (Counts{2, 4, 5, 6, 7, 9}));
}

}  // namespace
}  // namespace ranksight::reduction
