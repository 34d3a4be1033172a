// What a replay passes over, and what it says of it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reduction/api/losses.h"
#include "tests/unit/replay_engine/fake_replay.h"

namespace ranksight::replay_engine {
namespace {

TEST(Replay, AbortIsPassedOverAndReported) {
  Recording recording;
  recording.Push(1, Call::MPI_Barrier_, {0});
  recording.Push(2, Call::MPI_Abort_, {0});
  const Outcome outcome = ReplayAll(recording.Finish());
  ASSERT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.performed.size(), 1u);
  EXPECT_EQ(outcome.report.aborts, 1u);
}

TEST(Replay, GapsNameWhatTheTraceDoesNotHold) {
  Trace trace = Recording().Finish();
  EXPECT_EQ(DescribeGaps(trace), "");
  trace.meta.not_recorded["MPI_Put"] = 12;
  trace.meta.not_recorded["MPI_Type_vector"] = 3;  // its size is recorded
  EXPECT_EQ(DescribeGaps(trace), "MPI_Put x12 (not recorded)");
}

TEST(Replay, ACommunicatorThatNoCallMakesIsNamed) {
  Recording recording;
  recording.PushNamed(Call::MPI_Barrier_, {{Param::kComm, 1}});
  recording.PushNamed(Call::MPI_Comm_dup_,
                      {{Param::kComm, 0}, {Param::kCommSize, 4}});
  for (int i = 0; i < 3; ++i) {
    recording.PushNamed(Call::MPI_Barrier_, {{Param::kComm, 2}});
  }
  // It is not in what this makes.
  recording.PushNamed(Call::MPI_Comm_split_,
                      {{Param::kComm, 0}, {Param::kCommSize, 0}});
  recording.PushNamed(Call::MPI_Barrier_, {{Param::kComm, reduction::kNone}});
  EXPECT_EQ(UnmadeCommunicator(recording.Finish(), 0), std::nullopt);
  recording.PushNamed(Call::MPI_Barrier_, {{Param::kComm, 3}});
  EXPECT_EQ(UnmadeCommunicator(recording.Finish(), 0), 3);
}

TEST(Replay, WhatLiesOnACommunicatorPassedOverIsPassedOverToo) {
  Recording recording;
  recording.PushNamed(Call::MPI_Comm_connect_);
  recording.PushNamed(Call::MPI_Intercomm_merge_, {{Param::kComm, 2}});
  const std::map<Param, int64_t> there = {{Param::kComm, 3}};
  const std::map<Param, int64_t> first_window = {{Param::kWindow, 0}};
  const std::map<Param, int64_t> first_file = {{Param::kFile, 0}};
  recording.PushNamed(Call::MPI_Win_allocate_, there);
  recording.PushNamed(Call::MPI_Win_create_);
  recording.PushNamed(Call::MPI_File_open_);
  recording.PushNamed(Call::MPI_File_open_, there);
  recording.PushNamed(Call::MPI_Win_fence_, first_window);
  recording.PushNamed(Call::MPI_Win_lock_all_);  // in the second window
  recording.PushNamed(Call::MPI_Rput_, first_window);
  recording.PushOnRequests(1, Call::MPI_Wait_, {1});
  recording.PushNamed(Call::MPI_Win_free_, first_window);
  recording.PushNamed(Call::MPI_File_sync_, first_file);
  recording.PushNamed(Call::MPI_File_sync_);
  recording.PushNamed(Call::MPI_File_close_);
  const Outcome outcome = ReplayAll(recording.Finish());
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  EXPECT_EQ(CallsOf(outcome),
            "MPI_Win_create MPI_File_open MPI_Win_lock_all MPI_Wait "
            "MPI_File_sync ");
}

// As of one that was made while recording was paused.
TEST(Replay, WhatIsDoneOnACommunicatorWithoutANumberIsPassedOver) {
  Recording recording;
  const std::map<Param, int64_t> nowhere = {{Param::kComm, reduction::kNone}};
  recording.PushNamed(Call::MPI_Barrier_, nowhere);
  recording.PushNamed(Call::MPI_Irecv_, nowhere);
  recording.PushOnRequests(1, Call::MPI_Wait_, {1});
  recording.PushNamed(Call::MPI_Barrier_, {{Param::kComm, 0}});
  const Outcome outcome = ReplayAll(recording.Finish());
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  EXPECT_EQ(CallsOf(outcome), "MPI_Wait MPI_Barrier ");
}

// An intercommunicator by way of communicator `peers`, a barrier on it, and one
// on the world, behind a call that cannot be replayed.
Trace ByWayOf(int64_t peers, Call first = Call::MPI_Comm_connect_) {
  Recording recording;
  recording.PushNamed(first, {{Param::kComm, 0}});
  recording.PushNamed(Call::MPI_Intercomm_create_,
                      {{Param::kComm, 0}, {Param::kPeerComm, peers}});
  recording.PushNamed(Call::MPI_Barrier_, {{Param::kComm, 3}});
  recording.PushNamed(Call::MPI_Barrier_, {{Param::kComm, 0}});
  return recording.Finish();
}

TEST(Replay, GroupsPassOverTheIntercommunicatorThatTheirLeaderCannotMake) {
  FakeClock clock;
  const auto replayed = [&](const Trace& trace, std::optional<bool> leader,
                            std::vector<bool>* asked) {
    FakeBackend backend(clock);
    backend.leader_passes_over = leader;
    Outcome out;
    out.status = Replay(trace, 0, {}, backend, clock, &out.report);
    out.performed = backend.performed;
    *asked = backend.asked;
    return CallsOf(out);
  };
  const std::string all = "MPI_Intercomm_create MPI_Barrier MPI_Barrier ";
  const auto none = reduction::kNone;
  std::vector<bool> asked;
  EXPECT_EQ(replayed(ByWayOf(2), {}, &asked), "MPI_Barrier ");
  EXPECT_EQ(asked, std::vector<bool>{true});
  EXPECT_EQ(replayed(ByWayOf(none), true, &asked), "MPI_Barrier ");
  EXPECT_EQ(asked, std::vector<bool>{false});
  EXPECT_EQ(replayed(ByWayOf(none), false, &asked), all);
  EXPECT_EQ(replayed(ByWayOf(2), false, &asked), all);
  EXPECT_EQ(replayed(ByWayOf(2, Call::MPI_Comm_dup_), {}, &asked),
            "MPI_Comm_dup " + all);
  EXPECT_TRUE(asked.empty());
}

TEST(Replay, CallsThatFailedLeaveNoGap) {
  Trace trace = Recording().Finish();
  trace.meta.losses[reduction::kLossFailedCalls] = 7;
  EXPECT_EQ(DescribeGaps(trace), "");
}

TEST(Replay, WhatATwinEstimatesIsReplayedAsTheRestIs) {
  Trace trace = Recording().Finish();
  trace.meta.losses[reduction::kLossByEstimates] = 7;
  EXPECT_EQ(DescribeGaps(trace), "");
  trace.meta.losses["rank_lost"] = 1;
  EXPECT_EQ(DescribeGaps(trace), "rank_lost x1 (lost)");
}

}  // namespace
}  // namespace ranksight::replay_engine
