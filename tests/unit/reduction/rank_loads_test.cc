#include "reduction/api/rank_loads.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "reduction/api/cursor.h"
#include "reduction/api/totals.h"
#include "tests/unit/reduction/program.h"
#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::reduction {
namespace {

// Rank 0 sends to all others in turn, which receive; some calls more.
void ServeAll(int64_t ranks, int64_t rank, Script* script) {
  script->Init();
  for (int turn = 0; turn < 6; ++turn) {
    for (int64_t other = 1; other < ranks; ++other) {
      if (rank == 0) script->Send(3, other, 8);
      if (rank == other) script->Recv(4, 0, 8);
    }
    if (rank % 2 == 1) script->Send(5, kPeerNull, 1);
  }
  script->Finalize();
}

TEST(RankLoads, AddUpToTheTotalsOfTheTrace) {
  constexpr int64_t kRanks = 5;
  const Trace trace = MakeSample(kRanks, [](int64_t rank, Script* script) {
                        ServeAll(kRanks, rank, script);
                      }).trace;
  double compute = 0, call = 0;
  for (const EventTotal& total : TotalsByCall(*TotalsBySite(trace))) {
    if (BeginsRun(total.call)) continue;
    compute += total.times.TotalCompute();
    call += total.times.TotalCall();
  }
  RankLoad sum;
  for (const RankLoad& load : LoadsIn(trace, trace.root)) {
    sum.compute_ns += load.compute_ns;
    sum.call_ns += load.call_ns;
    EXPECT_GE(load.waiting_ns, 0);
    EXPECT_LE(load.waiting_ns, load.call_ns);
  }
  EXPECT_GT(compute, 0);
  EXPECT_NEAR(sum.compute_ns, compute, 1e-9 * compute);
  EXPECT_NEAR(sum.call_ns, call, 1e-9 * call);
}

// Of each call once, whatever loops it is in.
RankLoad Walked(const Trace& trace, int64_t rank) {
  RankLoad load;
  auto cursor = Cursor::Open(trace, rank);
  EXPECT_TRUE(cursor.ok());
  while (cursor->Next()) {
    const EventTimes& times = cursor->node().times;
    const bool is_first = cursor->occurrence() == 0;
    const double call = times.call.Mean(is_first);
    load.compute_ns += times.compute.Mean(is_first);
    load.call_ns += call;
    load.waiting_ns += call - (is_first ? times.call.first.min
                                        : times.call.rest.moments().min);
  }
  return load;
}

TEST(RankLoads, AreWhatAWalkOfEachRankAddsUp) {
  constexpr int64_t kRanks = 3;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    testing::Program program(seed);
    Trace trace;
    for (int64_t rank = 0; rank < kRanks; ++rank) {
      Folder folder;
      program.Run(rank, kRanks, &folder);
      Trace one = folder.Snapshot(rank, kRanks);
      if (rank == 0) {
        trace = std::move(one);
      } else {
        ASSERT_TRUE(MergeInto(&trace, std::move(one)).ok());
      }
    }
    const std::vector<RankLoad> loads = LoadsIn(trace, trace.root);
    ASSERT_EQ(loads.size(), size_t(kRanks));
    for (int64_t rank = 0; rank < kRanks; ++rank) {
      const RankLoad walked = Walked(trace, rank);
      const RankLoad& load = loads[size_t(rank)];
      EXPECT_NEAR(load.compute_ns, walked.compute_ns, 1e-6) << seed;
      EXPECT_NEAR(load.call_ns, walked.call_ns, 1e-6) << seed;
      EXPECT_NEAR(load.waiting_ns, walked.waiting_ns, 1e-6) << seed;
    }
  }
}

TEST(RankLoads, OfALoopAreOfWhatIsInside) {
  constexpr int64_t kRanks = 4;
  const Trace trace = MakeSample(kRanks, [](int64_t rank, Script* script) {
                        ServeAll(kRanks, rank, script);
                      }).trace;
  const std::vector<RankLoad> all = LoadsIn(trace, trace.root);
  std::vector<RankLoad> parts(size_t{kRanks});
  for (const Node& child : trace.root.children) {
    if (child.is_event() && BeginsRun(child.call)) continue;
    Node alone;
    if (child.is_event()) alone.children.push_back(child);
    const std::vector<RankLoad> loads =
        LoadsIn(trace, child.is_event() ? alone : child);
    for (size_t rank = 0; rank < parts.size(); ++rank) {
      parts[rank].compute_ns += loads[rank].compute_ns;
    }
  }
  for (size_t rank = 0; rank < parts.size(); ++rank) {
    EXPECT_NEAR(parts[rank].compute_ns, all[rank].compute_ns, 1e-6);
  }
}

}  // namespace
}  // namespace ranksight::reduction
