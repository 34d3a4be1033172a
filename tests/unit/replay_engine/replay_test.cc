#include "replay_engine/api/replay.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"
#include "reduction/api/folder.h"
#include "reduction/api/losses.h"
#include "tests/unit/replay_engine/fake_clock.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Status;
using reduction::Trace;

struct Performed {
  std::string text;
  int64_t at_ns;
  int64_t new_comm;
  int64_t new_request;
  std::vector<int64_t> requests;
  int64_t source, tag;
};

class FakeBackend : public Backend {
 public:
  explicit FakeBackend(FakeClock& clock) : clock_(clock) {}
  Status Perform(const Operation& o) override {
    performed.push_back({reduction::CanonicalText(*o.event), clock_.now_ns,
                         o.new_comm, o.new_request, o.requests, o.source,
                         o.tag});
    clock_.now_ns += call_ns;
    if (performed.size() == fail_at) return Status::BadInput("refused");
    return Status::Ok();
  }
  bool LeaderPassesOver(const Operation&, bool mine) override {
    asked.push_back(mine);
    return leader_passes_over.value_or(mine);
  }
  Status Finish() override { return Status::Ok(); }

  std::vector<Performed> performed;
  int64_t call_ns = 0;
  size_t fail_at = 0;
  std::optional<bool> leader_passes_over;
  std::vector<bool> asked;  // what this rank said

 private:
  FakeClock& clock_;
};

// Pushes events with a call site each into a folder.
class Recording {
 public:
  Recording() : module_(folder_.AddModule({"ab", "app"})) {}

  void Push(uint64_t site, Call call, const std::vector<int64_t>& scalars,
            uint64_t compute_ns = 0) {
    Event e(call);
    for (const int64_t v : scalars) e.Add(v);
    PushEvent(site, &e, compute_ns);
  }
  // Each scalar 1 and each array empty, but for those named.
  void PushNamed(Call call, const std::map<Param, int64_t>& scalars = {}) {
    Event e(call);
    for (const Param p : reduction::Info(call).params) {
      const auto at = scalars.find(p);
      if (reduction::IsArray(p)) {
        e.AddArray({});
      } else {
        e.Add(at == scalars.end() ? 1 : at->second);
      }
    }
    PushEvent(uint64_t(call), &e, 0);
  }
  // A call on requests, with the indices that completed where it has them, and
  // the sources that were matched, with tags 100 higher.
  void PushOnRequests(uint64_t site, Call call,
                      const std::vector<int64_t>& refs,
                      const std::vector<int64_t>* done = nullptr,
                      const std::vector<int64_t>& matched = {}) {
    Event e(call);
    e.Add(int64_t(refs.size()));
    const bool counted =
        reduction::LengthOf(call, Param::kRequests) == Param::kOpenCount;
    if (counted) e.Add(int64_t(refs.size()));
    e.AddArray(refs);
    if (done != nullptr) {
      e.Add(int64_t(done->size()));
      e.AddArray(*done);
    }
    if (reduction::Info(call).completes) AddMatched(matched, &e);
    PushEvent(site, &e, 0);
  }
  // A receive or probe with its match.
  void PushMatched(uint64_t site, Call call,
                   const std::vector<int64_t>& scalars, int64_t matched) {
    Event e(call);
    for (const int64_t v : scalars) e.Add(v);
    AddMatched({matched}, &e);
    PushEvent(site, &e, 0);
  }
  // A receive from anywhere, of any tag.
  void IrecvAny(uint64_t site) {
    Push(site, Call::MPI_Irecv_,
         {4, 1, 1, 0, reduction::kPeerAny, reduction::kTagAny, 0});
  }
  void Isend(uint64_t site) {
    Push(site, Call::MPI_Isend_, {4, 1, 1, 0, 0, 7, 0});
  }
  Trace Finish() const { return folder_.Snapshot(0, 1); }

 private:
  static void AddMatched(const std::vector<int64_t>& sources, Event* e) {
    std::vector<int64_t> tags;
    for (const int64_t s : sources) {
      tags.push_back(s == reduction::kNone ? s : s + 100);
    }
    e->Add(int64_t(sources.size()));
    e->AddArray(sources);
    e->AddArray(tags);
  }
  void PushEvent(uint64_t site, Event* e, uint64_t compute_ns) {
    EXPECT_TRUE(e->Complete());
    e->site = folder_.AddSite({{{module_, 0x10 * site}}});
    folder_.Push(*e, compute_ns, 0);
  }
  reduction::Folder folder_;
  uint32_t module_;
};

struct Outcome {
  Status status;
  RankReport report;
  std::vector<Performed> performed;
  int64_t elapsed_ns;
};

std::string CallsOf(const Outcome& outcome) {
  std::string calls;
  for (const Performed& p : outcome.performed) {
    calls += p.text.substr(0, p.text.find(' ')) + " ";
  }
  return calls;
}

Outcome ReplayAll(const Trace& trace, const ReplayOptions& options = {},
                  int64_t call_ns = 0, size_t fail_at = 0) {
  FakeClock clock;
  FakeBackend backend(clock);
  backend.call_ns = call_ns;
  backend.fail_at = fail_at;
  const int64_t start = clock.now_ns;
  Outcome outcome;
  outcome.status = Replay(trace, 0, options, backend, clock, &outcome.report);
  outcome.performed = backend.performed;
  outcome.elapsed_ns = clock.now_ns - start;
  return outcome;
}

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
