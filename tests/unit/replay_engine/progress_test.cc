#include "replay_engine/api/progress.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/unit/replay_engine/rank_calls.h"

namespace ranksight::replay_engine {
namespace {

using rank_calls::Calls;
using rank_calls::FirstFromTheLast;
using rank_calls::Values;
using reduction::Call;
using reduction::kPeerAny;
using reduction::Param;

using Texts = std::vector<std::string>;
const ProgressOptions kAtBest = {.buffered_bytes = kAllBuffered};

TEST(Progress, SendsThatMeetTheirReceivesEnd) {
  Calls run(2);
  run.Message(0, Call::MPI_Send_, 1);
  run.Message(0, Call::MPI_Recv_, 1);
  run.Message(1, Call::MPI_Recv_, 0);
  run.Message(1, Call::MPI_Send_, 0);
  const Progress progress = run.Check();
  EXPECT_TRUE(progress.ends);
  EXPECT_EQ(progress.events, 8u);
  EXPECT_TRUE(progress.chain.empty());
}

TEST(Progress, TellsHowMuchIsWalked) {
  Calls run(2);
  run.Message(0, Call::MPI_Send_, 1);
  run.Message(1, Call::MPI_Recv_, 0);
  std::vector<double> told;
  ProgressOptions options;
  options.tell_share = [&told](double share) { told.push_back(share); };
  run.Check(options);
  ASSERT_FALSE(told.empty());
  EXPECT_GT(told.front(), 0);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_EQ(told.back(), 1);
}

TEST(Progress, SendsInARingNeedBuffers) {
  Calls run(3);
  for (int64_t r = 0; r < 3; ++r) {
    run.Message(r, Call::MPI_Send_, (r + 1) % 3, 100);
    run.Message(r, Call::MPI_Recv_, (r + 2) % 3, 100);
  }
  EXPECT_EQ(run.Chain(), (Texts{"0 MPI_Send -> rank 1 to receive",
                                "1 MPI_Send -> rank 2 to receive",
                                "2 MPI_Send -> rank 0 to receive"}));
  EXPECT_TRUE(run.Check().circle);
  EXPECT_EQ(run.Check().chain[1].event, 2u);
  EXPECT_FALSE(run.Check({.buffered_bytes = 99}).ends);
  EXPECT_TRUE(run.Check({.buffered_bytes = 100}).ends);
  EXPECT_FALSE(run.Check({.buffered_bytes = 100, .bytes_scale = 2}).ends);
  EXPECT_TRUE(run.Check(kAtBest).ends);
}

TEST(Progress, SynchronousSendsNeverReturnEarlyAndBufferedOnesAlways) {
  for (const Call call : {Call::MPI_Ssend_, Call::MPI_Bsend_}) {
    Calls run(2);
    for (int64_t r = 0; r < 2; ++r) {
      run.Message(r, call, 1 - r);
      run.Message(r, Call::MPI_Recv_, 1 - r);
    }
    EXPECT_EQ(run.Check().ends, call == Call::MPI_Bsend_);
    EXPECT_EQ(run.Check(kAtBest).ends, call == Call::MPI_Bsend_);
  }
}

TEST(Progress, ReceivesInACircleNeverEnd) {
  Calls run(4);
  run.Message(0, Call::MPI_Recv_, 3);  // leads into it
  run.Message(1, Call::MPI_Recv_, 2);
  run.Message(2, Call::MPI_Recv_, 1);
  run.Message(3, Call::MPI_Recv_, 1);
  EXPECT_EQ(run.Chain(kAtBest), (Texts{"1 MPI_Recv -> rank 2 to send",
                                       "2 MPI_Recv -> rank 1 to send"}));
  EXPECT_EQ(run.Check(kAtBest).standing, 4);
}

TEST(Progress, ARankThatHasEndedSendsNothing) {
  Calls run(2);
  run.Message(0, Call::MPI_Recv_, 1);
  const Progress progress = run.Check();
  ASSERT_EQ(progress.chain.size(), 1u);
  EXPECT_FALSE(progress.circle);
  EXPECT_EQ(progress.chain[0].on, 1);
}

TEST(Progress, NonBlockingCallsWaitWhereTheyAreCompleted) {
  Calls run(2);
  for (int64_t r = 0; r < 2; ++r) {
    run.Message(r, Call::MPI_Isend_, 1 - r);
    run.Message(r, Call::MPI_Irecv_, 1 - r);
    run.Waitall(r, {2, 1});
  }
  EXPECT_TRUE(run.Check().ends);
  Calls stuck(2);
  for (int64_t r = 0; r < 2; ++r) {
    stuck.Message(r, Call::MPI_Isend_, 1 - r);
    stuck.Waitall(r, {1});
    stuck.Message(r, Call::MPI_Recv_, 1 - r);
  }
  EXPECT_EQ(stuck.Chain(), (Texts{"0 MPI_Waitall -> rank 1 to receive",
                                  "1 MPI_Waitall -> rank 0 to receive"}));
}

TEST(Progress, MessagesDoNotOvertakeAndTagsKeepThemApart) {
  Calls run(2);
  run.Message(0, Call::MPI_Isend_, 1, 8, 5);
  run.Message(0, Call::MPI_Send_, 1, 8, 6);
  run.Message(1, Call::MPI_Recv_, 0, 8, 6);
  run.Message(1, Call::MPI_Recv_, 0, 8, 5);
  EXPECT_TRUE(run.Check().ends);
  run.Message(1, Call::MPI_Recv_, 0, 8, 5);
  EXPECT_FALSE(run.Check(kAtBest).ends);
}

TEST(Progress, CollectivesAtTheirWorstWaitForAll) {
  // The root sends to rank 1 behind a broadcast that it may leave early.
  Calls run(2);
  run.Rooted(0, Call::MPI_Bcast_, 0);
  run.Message(0, Call::MPI_Send_, 1);
  run.Message(1, Call::MPI_Recv_, 0);
  run.Rooted(1, Call::MPI_Bcast_, 0);
  EXPECT_EQ(run.Chain(), (Texts{"0 MPI_Bcast -> rank 1 to make the same call",
                                "1 MPI_Recv -> rank 0 to send"}));
  EXPECT_TRUE(run.Check(kAtBest).ends);
}

// A root that all data come from waits for nobody, and nobody waits for members
// whose data only the root gets.
TEST(Progress, OfRootedCollectivesEitherTheRootOrTheOthersLeaveEarly) {
  for (const reduction::CallInfo& info : reduction::AllCalls()) {
    if (info.family != reduction::Family::kCollective || !info.rooted) continue;
    const auto leaves = [&](int64_t early) {
      Calls run(2);
      run.Rooted(early, reduction::BlockingForm(info.call), 0);
      run.Message(early, Call::MPI_Send_, 1 - early);
      run.Message(1 - early, Call::MPI_Recv_, early);
      run.Rooted(1 - early, reduction::BlockingForm(info.call), 0);
      return run.Check(kAtBest).ends;
    };
    EXPECT_NE(leaves(0), leaves(1))
        << info.name << " waits for all in replay_engine/progress/meetings.cc";
  }
}

TEST(Progress, BarriersWaitAtTheirBestToo) {
  Calls run(2);
  run.Add(0, Call::MPI_Barrier_);
  run.Message(0, Call::MPI_Send_, 1);
  run.Message(1, Call::MPI_Recv_, 0);
  run.Add(1, Call::MPI_Barrier_);
  EXPECT_FALSE(run.Check(kAtBest).ends);
}

TEST(Progress, TakesWhatWasMatchedUnlessAskedNotTo) {
  Calls run = FirstFromTheLast();
  EXPECT_TRUE(run.Check().ends);
  EXPECT_EQ(run.Chain({.wildcards = true}),
            (Texts{"0 MPI_Recv -> rank 1 to send"}));
}

TEST(Progress, ProbesWaitForAMessageAndLeaveIt) {
  Calls run(2);
  run.Add(0, Call::MPI_Probe_,
          {{Param::kPeer, {1}},
           {Param::kMatchCount, {1}},
           {Param::kMatched, {reduction::kNone}},
           {Param::kMatchedTags, {reduction::kNone}}});
  run.Message(0, Call::MPI_Recv_, 1);
  run.Add(1, Call::MPI_Barrier_, {{Param::kComm, {1}}});
  run.Message(1, Call::MPI_Send_, 0);
  EXPECT_TRUE(run.Check().ends);
}

TEST(Progress, MatchedProbesTakeTheMessageFromAllOthers) {
  Calls run(3);
  const Values probe = {{Param::kPeer, {1}}};
  run.Add(0, Call::MPI_Mprobe_, probe);
  run.Add(0, Call::MPI_Mrecv_, {});
  run.Message(1, Call::MPI_Ssend_, 0);
  run.Message(1, Call::MPI_Send_, 2);
  run.Message(2, Call::MPI_Recv_, 1);
  EXPECT_TRUE(run.Check().ends);
  run.Message(0, Call::MPI_Recv_, 1);
  EXPECT_FALSE(run.Check(kAtBest).ends);
}

TEST(Progress, PersistentRequestsStartAgainAndAgain) {
  Calls run(2);
  run.Message(0, Call::MPI_Send_init_, 1);
  run.Message(1, Call::MPI_Recv_init_, 0);
  for (int round = 0; round < 3; ++round) {
    for (int64_t r = 0; r < 2; ++r) {
      run.Add(r, Call::MPI_Start_,
              {{Param::kRequestCount, {1}}, {Param::kRequests, {-1}}});
      run.Waitall(r, {-1});
    }
  }
  EXPECT_TRUE(run.Check().ends);
  run.Add(1, Call::MPI_Start_,
          {{Param::kRequestCount, {1}}, {Param::kRequests, {-1}}});
  run.Waitall(1, {-1});
  EXPECT_EQ(run.Chain(), (Texts{"1 MPI_Waitall -> rank 0 to send"}));
}

// Rank 0 gives up a receive before rank 1 sends, and then makes another. The
// first is the last request made, or the last persistent one.
Calls GivesUpAReceive(Call receive, int64_t tag, Call end) {
  Calls run(2);
  const int64_t request = receive == Call::MPI_Recv_init_ ? -1 : 1;
  run.Message(0, receive, 1, 8, tag);
  if (request < 0) run.OnRequest(0, Call::MPI_Start_, request);
  run.OnRequest(0, Call::MPI_Cancel_, request);
  run.OnRequest(0, end, request);
  run.Add(0, Call::MPI_Barrier_);
  run.Message(0, Call::MPI_Recv_, 1, 8, 7);
  run.Add(1, Call::MPI_Barrier_);
  run.Message(1, Call::MPI_Send_, 0, 8, 7);
  return run;
}

TEST(Progress, ACancelledReceiveTakesNoMessage) {
  for (const Call receive : {Call::MPI_Irecv_, Call::MPI_Recv_init_}) {
    for (const int64_t tag : {int64_t{7}, reduction::kTagAny}) {
      for (const Call end : {Call::MPI_Wait_, Call::MPI_Request_free_}) {
        EXPECT_TRUE(GivesUpAReceive(receive, tag, end).Check().ends)
            << reduction::Info(receive).name << ", tag " << tag << ", "
            << reduction::Info(end).name;
      }
    }
  }
}

TEST(Progress, ACancelledReceiveLeavesThoseBesideIt) {
  for (const int64_t cancelled : {1, 2}) {
    Calls run(2);
    for (int i = 0; i < 2; ++i) run.Message(0, Call::MPI_Irecv_, 1);
    run.OnRequest(0, Call::MPI_Cancel_, cancelled);
    run.Waitall(0, {2, 1});
    run.Message(1, Call::MPI_Send_, 0);
    EXPECT_TRUE(run.Check().ends);
  }
}

TEST(Progress, AReceiveCancelledTooLateTakesItsMessage) {
  const auto ends = [](int64_t source, int64_t tag) {
    Calls run(2);
    run.Add(0, Call::MPI_Irecv_, {{Param::kPeer, {kPeerAny}}});
    run.OnRequest(0, Call::MPI_Cancel_, 1);
    run.Add(0, Call::MPI_Wait_,
            {{Param::kRequestCount, {1}},
             {Param::kRequests, {1}},
             {Param::kMatchCount, {1}},
             {Param::kMatched, {source}},
             {Param::kMatchedTags, {tag}}});
    run.Message(1, Call::MPI_Send_, 0);
    return run.Check().ends;
  };
  EXPECT_TRUE(ends(1, 0));
  EXPECT_FALSE(ends(reduction::kNone, reduction::kNone));
}

// What chance gives: messages, some before they are asked for and some never,
// and collectives; most stand somewhere.
TEST(Progress, IsTheSameHoweverManyThreadsWalk) {
  int ended = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return int64_t(random() % unsigned(n)); };
    const int ranks = 3 + int(below(14));
    Calls run{size_t(ranks)};
    const int steps = 40;
    // Few slips, so that some end and others get far.
    const int slips = seed % 3 == 0 ? 1000000 : 150;
    for (int step = 0; step < steps; ++step) {
      if (below(8) == 0) {
        for (int64_t r = 0; r < ranks; ++r) {
          if (below(slips) != 0) run.Add(r, Call::MPI_Barrier_);
        }
        continue;
      }
      const int64_t from = below(ranks), to = below(ranks);
      const int64_t tag = below(2), bytes = 1 << below(12);
      const bool held = from == to || below(2) == 0;
      if (below(slips) != 0) {
        run.Message(to, held ? Call::MPI_Irecv_ : Call::MPI_Recv_, from, bytes,
                    tag);
      }
      if (below(slips) != 0) {
        run.Message(from, Call::MPI_Send_, to, bytes, tag);
      }
      if (held) run.OnRequest(to, Call::MPI_Wait_, 1);
    }
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (const int64_t bytes : {kNoBuffering, int64_t{64}, kAllBuffered}) {
      ended += run.Check({.buffered_bytes = bytes}).ends ? 1 : 0;
    }
  }
  EXPECT_GT(ended, 20);
  EXPECT_LT(ended, 160);
}

}  // namespace
}  // namespace ranksight::replay_engine
