#include "reduction/api/timeline.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "reduction/api/canonical.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"
#include "tests/unit/reduction/make_event.h"

namespace ranksight::reduction {
namespace {

// Calls of all ranks as a plain list, and the trace of them.
class Recording {
 public:
  explicit Recording(int64_t ranks) : lines_(size_t(ranks)) {}
  void Push(int64_t rank, Call call, uint32_t line, int64_t count,
            uint64_t compute_ns, uint64_t call_ns) {
    calls_.push_back({rank, MakeEvent(call, line, {{Param::kCount, {count}}}),
                      compute_ns, call_ns});
    lines_[size_t(rank)].push_back(CanonicalText(calls_.back().event));
  }
  const std::vector<std::string>& Lines(int64_t rank) const {
    return lines_[size_t(rank)];
  }
  Trace Merged() const {
    Trace all;
    const auto ranks = int64_t(lines_.size());
    for (int64_t rank = 0; rank < ranks; ++rank) {
      Folder folder;
      const uint32_t module = folder.AddModule({"abc", "app"});
      for (const Pushed& p : calls_) {
        if (p.rank != rank) continue;
        Event event = p.event;
        event.site = folder.AddSite({{{module, event.site}}});
        folder.Push(event, p.compute_ns, p.call_ns);
      }
      Trace one = folder.Snapshot(rank, ranks);
      if (rank == 0) {
        all = std::move(one);
      } else {
        EXPECT_TRUE(MergeInto(&all, std::move(one)).ok());
      }
    }
    return all;
  }

 private:
  struct Pushed {
    int64_t rank;
    Event event;
    uint64_t compute_ns, call_ns;
  };
  std::vector<Pushed> calls_;
  std::vector<std::vector<std::string>> lines_;
};

constexpr int64_t kRanks = 5;
constexpr int64_t kSteps = 8;

// Ranks that have the more to compute the lower they are, and wait the less in
// the reduction; ranks 0 and 1 send once more each step.
Recording Uneven() {
  Recording recording(kRanks);
  for (int64_t rank = 0; rank < kRanks; ++rank) {
    recording.Push(rank, Call::MPI_Init_, 1, 0, 0, 1'000'000);
    recording.Push(rank, Call::MPI_Bcast_, 2, 1, 500, 700);
    for (int64_t step = 0; step < kSteps; ++step) {
      if (rank < 2) recording.Push(rank, Call::MPI_Send_, 3, 4 + step, 100, 50);
      recording.Push(rank, Call::MPI_Allreduce_, 4, 1,
                     uint64_t(1000 - 100 * rank), uint64_t(200 + 100 * rank));
    }
    recording.Push(rank, Call::MPI_Finalize_, 5, 0, 10, 0);
  }
  return recording;
}

TEST(Timeline, IsTheMiddleIterationAsItWasCalled) {
  const Recording recording = Uneven();
  const Trace trace = recording.Merged();
  const auto timeline = TimelineOf(trace);
  ASSERT_TRUE(timeline.ok()) << timeline.status().message();
  ASSERT_EQ(timeline->lanes.size(), 3u);
  for (const TimelineLane& lane : timeline->lanes) {
    EXPECT_EQ(lane.iterations, uint64_t(kSteps));
    EXPECT_EQ(lane.iteration, uint64_t(kSteps / 2));
    const std::vector<std::string>& lines = recording.Lines(lane.rank);
    const size_t calls = lane.rank < 2 ? 2 : 1;
    ASSERT_EQ(lane.events.size(), calls);
    for (size_t i = 0; i < calls; ++i) {
      EXPECT_EQ(lane.events[i].text, lines[2 + calls * (kSteps / 2) + i]);
    }
  }
  // 4 of the 5 ranks' 8 steps each, and what stands around them.
  double in_loop = 0, all = 0;
  for (int64_t rank = 0; rank < kRanks; ++rank) {
    in_loop += kSteps * (1200 + (rank < 2 ? 150 : 0));
    all += 500 + 700 + 10;
  }
  EXPECT_NEAR(timeline->share, in_loop / (in_loop + all), 1e-9);
}

TEST(Timeline, WhoComputesMostIsSlowestAndWaitsLeast) {
  const auto timeline = TimelineOf(Uneven().Merged());
  ASSERT_TRUE(timeline.ok());
  const std::vector<TimelineLane>& lanes = timeline->lanes;
  ASSERT_EQ(lanes.size(), 3u);
  EXPECT_EQ(lanes[0].pace, Pace::kSlowest);
  // It alone, with rank 1, makes the send, and has most of the reduction's.
  EXPECT_LT(lanes[0].rank, 2);
  EXPECT_EQ(lanes[0].ComputeNs(), 100 + 1000);
  EXPECT_EQ(lanes[0].CallNs(), 50 + 200);
  EXPECT_EQ(lanes[1].pace, Pace::kMedian);
  // Of those that do not send before it: ranks 2 to 4.
  EXPECT_EQ(lanes[1].ComputeNs(), 700);
  EXPECT_EQ(lanes[1].CallNs(), 400);
  EXPECT_EQ(lanes[2].pace, Pace::kFastest);
  EXPECT_EQ(lanes[2].ComputeNs(), 600);
  EXPECT_EQ(lanes[2].CallNs(), 600);
}

TEST(Timeline, HasNoTimesInCallsWhereRanksSharedCores) {
  Trace trace = Uneven().Merged();
  trace.meta.own_time = true;
  const auto timeline = TimelineOf(trace);
  ASSERT_TRUE(timeline.ok());
  EXPECT_FALSE(timeline->has_calls);
  EXPECT_EQ(timeline->lanes[0].CallNs(), 0);
  EXPECT_GT(timeline->lanes[0].ComputeNs(), 0);
}

TEST(Timeline, TakesTheLoopInsideWhereAnIterationIsTooLong) {
  Recording recording(2);
  for (int64_t rank = 0; rank < 2; ++rank) {
    for (int outer = 0; outer < 4; ++outer) {
      for (int inner = 0; inner < 30; ++inner) {
        recording.Push(rank, Call::MPI_Allreduce_, 3, 1, 100, 10);
        recording.Push(rank, Call::MPI_Bcast_, 4, 1, 100, 10);
      }
      recording.Push(rank, Call::MPI_Barrier_, 5, 0, 1, 1);
    }
  }
  const Trace trace = recording.Merged();
  const auto whole = TimelineOf(trace, 61);
  const auto inside = TimelineOf(trace, 60);
  const auto cut = TimelineOf(trace, 1);
  ASSERT_TRUE(whole.ok() && inside.ok() && cut.ok());
  ASSERT_EQ(whole->lanes.size(), 2u);
  EXPECT_EQ(whole->lanes[0].events.size(), 61u);
  EXPECT_EQ(whole->lanes[0].iterations, 4u);
  EXPECT_EQ(inside->lanes[0].events.size(), 2u);
  EXPECT_EQ(inside->lanes[0].iterations, 120u);
  EXPECT_EQ(inside->lanes[0].left_out, 0u);
  EXPECT_EQ(cut->lanes[0].events.size(), 1u);
  EXPECT_EQ(cut->lanes[0].left_out, 1u);
}

TEST(Timeline, IsTheRunWithoutItsStartWhereNothingIsRepeated) {
  Recording recording(1);
  recording.Push(0, Call::MPI_Init_, 1, 0, 0, 100);
  recording.Push(0, Call::MPI_Bcast_, 2, 1, 20, 30);
  recording.Push(0, Call::MPI_Finalize_, 3, 0, 10, 0);
  const Trace trace = recording.Merged();
  const auto timeline = TimelineOf(trace);
  ASSERT_TRUE(timeline.ok());
  EXPECT_EQ(timeline->loop, &trace.root);
  ASSERT_EQ(timeline->lanes.size(), 1u);
  EXPECT_EQ(timeline->lanes[0].pace, Pace::kMedian);
  EXPECT_EQ(timeline->lanes[0].iterations, 1u);
  ASSERT_EQ(timeline->lanes[0].events.size(), 2u);
  EXPECT_EQ(timeline->lanes[0].events[0].text, recording.Lines(0)[1]);
  EXPECT_EQ(timeline->lanes[0].left_out, 0u);
  EXPECT_NEAR(timeline->share, 1, 1e-12);
}

}  // namespace
}  // namespace ranksight::reduction
