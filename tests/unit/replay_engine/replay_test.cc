#include "replay_engine/api/replay.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/cursor.h"
#include "tests/unit/replay_engine/fake_replay.h"

namespace ranksight::replay_engine {
namespace {

TEST(Replay, AsksForWhatABlockingReceiveMatched) {
  Recording recording;
  recording.PushMatched(1, Call::MPI_Recv_,
                        {4, 1, 1, 0, reduction::kPeerAny, 7, 0}, 5);
  recording.PushMatched(2, Call::MPI_Probe_, {3, reduction::kTagAny, 0}, 3);
  const Outcome out = ReplayAll(recording.Finish());
  ASSERT_EQ(out.performed.size(), 2u);
  EXPECT_EQ(out.performed[0].source, 5);
  EXPECT_EQ(out.performed[0].tag, 7);
  EXPECT_EQ(out.performed[1].source, 3);
  EXPECT_EQ(out.performed[1].tag, 103);
}

TEST(Replay, KnowsWhatANonBlockingReceiveWillMatch) {
  Recording recording;
  const std::vector<int64_t> second = {1}, first = {0};
  for (int64_t i = 0; i < 3; ++i) {
    recording.IrecvAny(1);
    recording.IrecvAny(1);
    recording.PushOnRequests(2, Call::MPI_Waitany_, {2, 1}, &second, {10 + i});
    recording.PushOnRequests(2, Call::MPI_Waitany_, {2, 1}, &first, {20 + i});
  }
  const Outcome out = ReplayAll(recording.Finish());
  ASSERT_TRUE(out.status.ok()) << out.status.message();
  ASSERT_EQ(out.performed.size(), 12u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(out.performed[4 * i].source, int64_t(20 + i));
    EXPECT_EQ(out.performed[4 * i].tag, int64_t(120 + i));
    EXPECT_EQ(out.performed[4 * i + 1].source, int64_t(10 + i));
  }
}

TEST(Replay, LeavesOpenWhatMatchedNothingOrManyTimes) {
  Recording recording;
  recording.Push(1, Call::MPI_Recv_init_,
                 {4, 1, 1, 0, reduction::kPeerAny, 7, 0});
  recording.IrecvAny(2);
  recording.IrecvAny(3);
  recording.IrecvAny(4);
  recording.PushOnRequests(5, Call::MPI_Request_free_, {1});
  recording.PushOnRequests(6, Call::MPI_Waitall_, {-1, 3, 2}, nullptr,
                           {8, 9, reduction::kNone});
  const Outcome out = ReplayAll(recording.Finish());
  ASSERT_TRUE(out.status.ok()) << out.status.message();
  ASSERT_EQ(out.performed.size(), 6u);
  EXPECT_EQ(out.performed[0].source, reduction::kPeerAny);
  EXPECT_EQ(out.performed[1].source, 9);
  EXPECT_EQ(out.performed[2].source, reduction::kPeerAny);
  EXPECT_EQ(out.performed[3].source, reduction::kPeerAny);
}

TEST(Replay, KeepsWildcardsWhenAsked) {
  Recording recording;
  recording.PushMatched(1, Call::MPI_Recv_,
                        {4, 1, 1, 0, reduction::kPeerAny, 7, 0}, 5);
  ReplayOptions options;
  options.wildcards = true;
  const Outcome out = ReplayAll(recording.Finish(), options);
  ASSERT_EQ(out.performed.size(), 1u);
  EXPECT_EQ(out.performed[0].source, reduction::kPeerAny);
}

TEST(Replay, AlignedReceivesAskForWhatTheyAreGivenInOrder) {
  Recording recording;
  recording.PushMatched(1, Call::MPI_Recv_,
                        {4, 1, 1, 0, reduction::kPeerAny, 7, 0}, 5);
  recording.PushMatched(2, Call::MPI_Recv_, {4, 1, 1, 0, 3, 7, 0}, 3);
  recording.PushMatched(3, Call::MPI_Recv_,
                        {4, 1, 1, 0, reduction::kPeerAny, 7, 0}, 5);
  const Trace trace = recording.Finish();
  const std::vector<Match> alignment = {{6, 7}, {8, 7}};
  ReplayOptions options;
  options.wildcards = true;
  options.alignment = &alignment;
  const Outcome out = ReplayAll(trace, options);
  ASSERT_TRUE(out.status.ok()) << out.status.message();
  ASSERT_EQ(out.performed.size(), 3u);
  EXPECT_EQ(out.performed[0].source, 6);
  EXPECT_EQ(out.performed[1].source, 3);
  EXPECT_EQ(out.performed[2].source, 8);
  // What the recording says comes first.
  options.wildcards = false;
  EXPECT_EQ(ReplayAll(trace, options).performed[0].source, 5);
}

TEST(Replay, ScalesTheComputationBeforeTheCallsOfASite) {
  Recording recording;
  recording.Push(1, Call::MPI_Barrier_, {0}, 1000);
  recording.Push(2, Call::MPI_Barrier_, {0}, 100);
  const Trace trace = recording.Finish();
  ReplayOptions options;
  options.compute_scale = 2;
  options.site_scale.assign(trace.sites.sites.size(), 1);
  const uint32_t site = trace.root.children[0].site;
  options.site_scale[site] = 3;
  EXPECT_EQ(ReplayAll(trace).report.compute_ns, 1100);
  EXPECT_EQ(ReplayAll(trace, options).report.compute_ns, 6200);
}

TEST(Replay, AStallIsFarBeyondTheLongestComputationThatIsAskedFor) {
  Trace trace = Recording().Finish();
  ReplayOptions options;
  EXPECT_EQ(StallLimit_s(trace, options), 600u);
  trace.meta.elapsed.Add(100e9);
  EXPECT_EQ(StallLimit_s(trace, options), 2000u);
  options.site_scale = {0.5, 3};
  EXPECT_EQ(StallLimit_s(trace, options), 6000u);
  options.compute_scale = 2;
  EXPECT_EQ(StallLimit_s(trace, options), 12000u);
  options.site_scale = {0.1, 0};  // calls of other sites have 1
  EXPECT_EQ(StallLimit_s(trace, options), 4000u);
  options.site_scale = {1e9};
  EXPECT_EQ(StallLimit_s(trace, options), 1000000u);
  options.compute = false;
  EXPECT_EQ(StallLimit_s(trace, options), 2000u);
}

TEST(Replay, PerformsTheEventsOfTheCursorInOrder) {
  Recording recording;
  recording.Push(1, Call::MPI_Init_, {});
  for (int i = 0; i < 50; ++i) {
    for (int k = 0; k < i % 4; ++k) recording.Isend(2);
    if (i % 4 > 0) recording.PushOnRequests(3, Call::MPI_Wait_, {1});
    recording.Push(4, Call::MPI_Barrier_, {0});
  }
  recording.Push(5, Call::MPI_Finalize_, {});
  const Trace trace = recording.Finish();

  auto cursor = reduction::Cursor::Open(trace, 0);
  ASSERT_TRUE(cursor.ok());
  std::vector<std::string> expected;
  while (cursor->Next()) {
    const std::string text = reduction::CanonicalText(cursor->event());
    if (text != "MPI_Init" && text != "MPI_Finalize") {
      expected.push_back(text);
    }
  }
  const Outcome outcome = ReplayAll(trace);
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  std::vector<std::string> performed;
  for (const Performed& p : outcome.performed) performed.push_back(p.text);
  EXPECT_EQ(performed, expected);
  EXPECT_EQ(outcome.report.events, expected.size() + 2);
}

TEST(Replay, RequestReferencesCountBackFromTheLastOneMade) {
  Recording recording;
  for (int k = 0; k < 3; ++k) recording.Isend(1);
  recording.PushOnRequests(2, Call::MPI_Waitall_, {3, 0, 1});
  recording.Isend(3);
  recording.PushOnRequests(4, Call::MPI_Wait_, {3});
  const Outcome outcome = ReplayAll(recording.Finish());
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(outcome.performed.size(), 6u);
  EXPECT_EQ(outcome.performed[2].new_request, 2);
  EXPECT_EQ(outcome.performed[3].requests,
            (std::vector<int64_t>{0, kNoRequest, 2}));
  EXPECT_EQ(outcome.performed[4].new_request, 3);
  EXPECT_EQ(outcome.performed[5].requests, (std::vector<int64_t>{1}));
}

TEST(Replay, PersistentRequestsAreNumberedApart) {
  Recording recording;
  recording.Push(1, Call::MPI_Send_init_, {4, 1, 1, 0, 0, 7, 0});
  recording.Isend(2);
  recording.Push(3, Call::MPI_Recv_init_, {4, 1, 1, 0, 0, 7, 0});
  recording.PushOnRequests(4, Call::MPI_Startall_, {-1, -2});
  recording.PushOnRequests(5, Call::MPI_Waitall_, {-2, 1, -1});
  const Outcome outcome = ReplayAll(recording.Finish());
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  EXPECT_EQ(outcome.performed[0].new_request, kPersistentBase);
  EXPECT_EQ(outcome.performed[1].new_request, 0);
  EXPECT_EQ(outcome.performed[2].new_request, kPersistentBase + 1);
  EXPECT_EQ(outcome.performed[4].requests,
            (std::vector<int64_t>{kPersistentBase + 1, 0, kPersistentBase}));
}

TEST(Replay, WaitanyIsGivenOnlyTheRequestThatItCompleted) {
  Recording recording;
  for (int k = 0; k < 3; ++k) recording.Isend(1);
  const std::vector<int64_t> done = {1};
  recording.PushOnRequests(2, Call::MPI_Waitany_, {3, 2, 1}, &done);
  const Outcome outcome = ReplayAll(recording.Finish());
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  EXPECT_EQ(outcome.performed[3].text, "MPI_Waitany n=3");
  EXPECT_EQ(outcome.performed[3].requests,
            (std::vector<int64_t>{1, kNoRequest, kNoRequest}));
}

TEST(Replay, CommunicatorsAreNumberedAsTheRankObtainsThem) {
  Recording recording;
  recording.Push(1, Call::MPI_Comm_split_, {0, 1, 0, 4});
  recording.Push(2, Call::MPI_Comm_split_,
                 {0, reduction::kColorUndefined, 0, 0});
  recording.Push(3, Call::MPI_Comm_dup_, {2, 4});
  const Outcome outcome = ReplayAll(recording.Finish());
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  EXPECT_EQ(outcome.performed[0].new_comm, 2);
  EXPECT_EQ(outcome.performed[1].new_comm, -1);
  EXPECT_EQ(outcome.performed[2].new_comm, 3);
}

TEST(Replay, AReferenceToARequestNeverMadeIsBadInput) {
  Recording recording;
  recording.Isend(1);
  recording.PushOnRequests(2, Call::MPI_Wait_, {2});
  const Outcome outcome = ReplayAll(recording.Finish());
  EXPECT_EQ(outcome.status.code(), reduction::StatusCode::kBadInput);
  EXPECT_NE(outcome.status.message().find("rank 0, event 2 (MPI_Wait n=1)"),
            std::string::npos)
      << outcome.status.message();
}

TEST(Replay, AFailingCallEndsTheReplayWithItsPlace) {
  Recording recording;
  for (int i = 0; i < 5; ++i) recording.Push(1, Call::MPI_Barrier_, {0});
  const Outcome outcome = ReplayAll(recording.Finish(), {}, 0, 3);
  EXPECT_EQ(outcome.performed.size(), 3u);
  EXPECT_NE(outcome.status.message().find("event 3"), std::string::npos);
  EXPECT_NE(outcome.status.message().find("refused"), std::string::npos);
}

TEST(Replay, ComputationPassesBetweenCalls) {
  Recording recording;
  for (int i = 0; i < 11; ++i) recording.Push(1, Call::MPI_Barrier_, {0}, 1000);
  ReplayOptions options;
  EXPECT_NEAR(ReplayAll(recording.Finish(), options, 70).elapsed_ns, 11 * 1070,
              20);
  options.compute_scale = 2;
  EXPECT_NEAR(ReplayAll(recording.Finish(), options, 70).elapsed_ns, 11 * 2070,
              40);
  options.compute = false;
  EXPECT_EQ(ReplayAll(recording.Finish(), options, 70).elapsed_ns, 11 * 70);
}

// Rank 0 of an 8x8 torus, links of a byte a nanosecond: its posts, tuned.
class TunedReplay : public testing::Test {
 protected:
  TunedReplay() {
    std::string reason;
    auto machine = *bgq_support::Machine::Parse("8x8", &reason);
    machine.bandwidth = 1e9;
    auto mapping =
        *bgq_support::Mapping::FromOrder(machine, 64, 1, "", &reason);
    placement_.emplace(Placement{std::move(machine), std::move(mapping)});
    options_.placement = &*placement_;
    // One hop, two hops the same way, one another way.
    Isend(1, 1, 5000);
    Irecv(2, 1);
    Isend(3, 2, 0);
    Isend(4, 8, 70);
  }
  void Isend(uint64_t site, int64_t peer, uint64_t compute_ns) {
    recording_.Push(site, Call::MPI_Isend_, {100, 1, 1, 0, peer, 7, 0},
                    compute_ns);
  }
  void Irecv(uint64_t site, int64_t peer) {
    recording_.Push(site, Call::MPI_Irecv_, {4, 1, 1, 0, peer, 7, 0});
  }
  // "name peer @ time request", from the first call on.
  std::vector<std::string> Posts() {
    out_ = ReplayAll(recording_.Finish(), options_);
    EXPECT_TRUE(out_.status.ok()) << out_.status.message();
    std::vector<std::string> posts;
    for (const Performed& p : out_.performed) {
      if (p.new_request < 0) continue;
      posts.push_back(p.text.substr(4, 5) + " " + std::to_string(p.source) +
                      " @" + std::to_string(p.at_ns - 1000) + " #" +
                      std::to_string(p.new_request));
    }
    return posts;
  }
  Recording recording_;
  std::optional<Placement> placement_;
  ReplayOptions options_;
  Outcome out_;
};

using Texts = std::vector<std::string>;

TEST_F(TunedReplay, PostsInTheRecordedOrderWhenItIsOff) {
  recording_.PushOnRequests(9, Call::MPI_Waitall_, {4, 3, 2, 1});
  EXPECT_EQ(Posts(), (Texts{"Isend 1 @5000 #0", "Irecv 1 @5000 #1",
                            "Isend 2 @5000 #2", "Isend 8 @5070 #3"}));
  EXPECT_EQ(out_.report.moved, 0u);
}

TEST_F(TunedReplay, MovesPostsWithTheirComputationAndRequests) {
  options_.tuning.order = true;
  recording_.PushOnRequests(9, Call::MPI_Waitall_, {4, 3, 2, 1});
  EXPECT_EQ(Posts(), (Texts{"Irecv 1 @0 #1", "Isend 2 @0 #2", "Isend 8 @70 #3",
                            "Isend 1 @5070 #0"}));
  EXPECT_EQ(out_.performed.back().requests, (std::vector<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(out_.report.moved, 4u);
  EXPECT_EQ(out_.report.events, 5u);
}

TEST_F(TunedReplay, MovesNothingPastAnotherCall) {
  options_.tuning.order = true;
  recording_.Push(5, Call::MPI_Barrier_, {0});
  Isend(6, 16, 0);
  recording_.PushOnRequests(9, Call::MPI_Waitall_, {5, 4, 3, 2, 1});
  EXPECT_EQ(Posts().back(), "Isend 16 @5070 #4");
}

TEST_F(TunedReplay, PacesOnlyWhatIsWaitedForAtOnce) {
  options_.compute = false;
  options_.tuning.order = options_.tuning.pace = true;
  const Texts at_once = {"Irecv 1 @0 #1", "Isend 2 @0 #2", "Isend 8 @0 #3",
                         "Isend 1 @0 #0"};
  Texts paced = at_once;
  paced.back() = "Isend 1 @200 #0";
  recording_.Push(5, Call::MPI_Barrier_, {0});
  EXPECT_EQ(Posts(), at_once);
  recording_ = Recording();
  Isend(1, 1, 0);
  Irecv(2, 1);
  Isend(3, 2, 0);
  Isend(4, 8, 0);
  recording_.PushOnRequests(9, Call::MPI_Waitall_, {4, 3, 2, 1});
  EXPECT_EQ(Posts(), paced);
}

}  // namespace
}  // namespace ranksight::replay_engine
