#include "replay_engine/api/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/folder.h"
#include "reduction/api/merge.h"
#include "replay_engine/api/alignment.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::kPeerAny;
using reduction::Param;
using reduction::Trace;

using Values = std::map<Param, std::vector<int64_t>>;

// Ranks as lists of calls, Init and Finalize around them.
class Calls {
 public:
  explicit Calls(size_t ranks) : ranks_(ranks) {}

  void Add(int64_t rank, Call call, const Values& values = {}) {
    Event e(call);
    for (const Param p : reduction::Info(call).params) {
      const auto at = values.find(p);
      if (reduction::IsArray(p)) {
        e.AddArray(at == values.end() ? std::vector<int64_t>() : at->second);
      } else {
        e.Add(at == values.end() ? 0 : at->second[0]);
      }
    }
    EXPECT_TRUE(e.Complete()) << reduction::Info(call).name;
    ranks_[size_t(rank)].push_back(e);
  }
  void Message(int64_t rank, Call call, int64_t peer, int64_t bytes = 8,
               int64_t tag = 0) {
    Add(rank, call,
        {{Param::kPeer, {peer}},
         {Param::kTag, {tag}},
         {Param::kCount, {bytes}},
         {Param::kTypeSize, {1}}});
  }
  // Likewise, with what it matched.
  void AnyRecv(int64_t rank, int64_t matched) {
    Add(rank, Call::MPI_Recv_,
        {{Param::kPeer, {kPeerAny}},
         {Param::kMatchCount, {1}},
         {Param::kMatched, {matched}},
         {Param::kMatchedTags, {0}}});
  }
  void Waitall(int64_t rank, const std::vector<int64_t>& requests) {
    Add(rank, Call::MPI_Waitall_,
        {{Param::kRequestCount, {int64_t(requests.size())}},
         {Param::kOpenCount, {int64_t(requests.size())}},
         {Param::kRequests, requests}});
  }
  void OnRequest(int64_t rank, Call call, int64_t request) {
    Add(rank, call,
        {{Param::kRequestCount, {1}}, {Param::kRequests, {request}}});
  }
  void Rooted(int64_t rank, Call call, int64_t root) {
    Add(rank, call, {{Param::kRoot, {root}}});
  }

  // Walked by one thread, and the same by any number of them.
  Progress Check(ProgressOptions options = {}) const {
    const Trace trace = ToTrace();
    options.parts = 1;
    auto progress = CheckProgress(trace, options);
    EXPECT_TRUE(progress.ok()) << progress.status().message();
    options.tell_share = {};
    for (options.parts = 2; options.parts <= 4; ++options.parts) {
      const auto in_parts = CheckProgress(trace, options);
      EXPECT_TRUE(in_parts.ok()) << in_parts.status().message();
      if (in_parts.ok()) ExpectSame(*in_parts, *progress, options.parts);
    }
    return *progress;
  }
  reduction::Status Refused() const {
    return CheckProgress(ToTrace(), {}).status();
  }
  reduction::Result<Alignment> Aligned(bool wildcards = false) const {
    return Align(ToTrace(), wildcards, 1);
  }
  // "rank call -> why" of what stands.
  std::vector<std::string> Chain(const ProgressOptions& options = {}) const {
    std::vector<std::string> chain;
    for (const Standing& s : Check(options).chain) {
      chain.push_back(std::to_string(s.rank) + " " +
                      s.call.substr(0, s.call.find(' ')) + " -> " + s.why);
    }
    return chain;
  }

 private:
  static void ExpectSame(const Progress& a, const Progress& b, size_t parts) {
    SCOPED_TRACE(std::to_string(parts) + " parts");
    EXPECT_EQ(a.ends, b.ends);
    EXPECT_EQ(a.events, b.events);
    EXPECT_EQ(a.standing, b.standing);
    EXPECT_EQ(a.circle, b.circle);
    EXPECT_EQ(a.mismatch, b.mismatch);
    const auto text = [](const Progress& p) {
      std::string all;
      for (const Standing& s : p.chain) {
        all += std::to_string(s.rank) + " " + std::to_string(s.event) + " " +
               std::to_string(s.site) + " " + s.call + " " +
               std::to_string(s.on) + " " + s.why + "\n";
      }
      return all;
    };
    EXPECT_EQ(text(a), text(b));
  }
  Trace ToTrace() const {
    Trace trace = OfRank(0);
    for (size_t r = 1; r < ranks_.size(); ++r) {
      trace = *reduction::Merge(std::move(trace), OfRank(r));
    }
    return trace;
  }
  Trace OfRank(size_t rank) const {
    reduction::Folder folder;
    const uint32_t module = folder.AddModule({"ab", "app"});
    uint64_t offset = 0;
    const auto push = [&](Event e) {
      e.site = folder.AddSite({{{module, offset += 16}}});
      folder.Push(e, 0, 0);
    };
    Event init(Call::MPI_Init_);
    while (!init.Complete()) init.Add(0);
    push(init);
    for (const Event& e : ranks_[rank]) push(e);
    push(Event(Call::MPI_Finalize_));
    return folder.Snapshot(int64_t(rank), int64_t(ranks_.size()));
  }
  std::vector<std::vector<Event>> ranks_;
};

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

TEST(Progress, NamesCollectivesThatDoNotGoTogether) {
  Calls run(2);
  run.Rooted(0, Call::MPI_Bcast_, 0);
  run.Rooted(1, Call::MPI_Bcast_, 1);
  EXPECT_EQ(run.Check().mismatch,
            "rank 0 calls MPI_Bcast from root 0 where rank 1 calls MPI_Bcast "
            "from root 1");
}

TEST(Progress, NamesWhoWorksInPlaceAndIsNoRoot) {
  const auto reduced = [](int64_t in_place) {
    Calls run(2);
    for (const int64_t rank : {0, 1}) {
      run.Add(rank, Call::MPI_Reduce_,
              {{Param::kRoot, {1}}, {Param::kInPlace, {rank == in_place}}});
    }
    return run.Check().mismatch;
  };
  EXPECT_EQ(reduced(1), "");
  EXPECT_EQ(reduced(0),
            "rank 0 calls MPI_Reduce from root 1 in place, which only the root "
            "may");
}

// Two ranks call it with these; what does not go together.
std::string Mismatch(Call call, const Values& first, const Values& second,
                     int64_t in_place = -1) {
  Calls run(2);
  for (const int64_t rank : {0, 1}) {
    Values values = rank == 0 ? first : second;
    values[Param::kTypeSize] = values[Param::kRecvTypeSize] = {4};
    values[Param::kInPlace] = {rank == in_place};
    for (const auto& [of, length] :
         {std::pair(Param::kCounts, Param::kPeerCount),
          std::pair(Param::kRecvCounts, Param::kRecvPeerCount)}) {
      values[length] = {int64_t(values[of].size())};
    }
    run.Add(rank, call, values);
  }
  return run.Check().mismatch;
}

TEST(Progress, NamesAmountsThatDoNotGoTogether) {
  const auto alike = [](Call call, int64_t other) {
    return Mismatch(call, {{Param::kCount, {3}}}, {{Param::kCount, {other}}});
  };
  for (const Call call : {Call::MPI_Bcast_, Call::MPI_Allreduce_}) {
    EXPECT_EQ(alike(call, 3), "");
    EXPECT_NE(alike(call, 4), "");
  }
  EXPECT_EQ(alike(Call::MPI_Bcast_, 4),
            "rank 0 calls MPI_Bcast from root 0 with 12 bytes where rank 1 "
            "calls it with 16");
  // The root alone says what is taken; it may have room for more.
  const auto gathered = [](int64_t given, int64_t taken) {
    return Mismatch(Call::MPI_Gather_,
                    {{Param::kCount, {1}}, {Param::kRecvCount, {taken}}},
                    {{Param::kCount, {given}}});
  };
  EXPECT_EQ(gathered(2, 2), "");
  EXPECT_EQ(gathered(2, 3), "");
  EXPECT_EQ(gathered(3, 2),
            "rank 1 calls MPI_Gather from root 0 with 12 bytes for each where "
            "rank 0 calls it with 8");
}

TEST(Progress, NamesListsThatDoNotGoTogether) {
  const auto to_all = [](int64_t taken_by_first) {
    return Mismatch(
        Call::MPI_Alltoallv_,
        {{Param::kCounts, {1, 2}}, {Param::kRecvCounts, {1, taken_by_first}}},
        {{Param::kCounts, {3, 4}}, {Param::kRecvCounts, {2, 4}}});
  };
  EXPECT_EQ(to_all(3), "");
  EXPECT_EQ(to_all(2),
            "what ranks give in MPI_Alltoallv of rank 0 and others is not what "
            "is taken there");
  const auto gathered = [](std::vector<int64_t> taken, int64_t in_place) {
    return Mismatch(Call::MPI_Gatherv_,
                    {{Param::kCount, {in_place == 0 ? 0 : 5}},
                     {Param::kRecvCounts, std::move(taken)}},
                    {{Param::kCount, {7}}}, in_place);
  };
  EXPECT_EQ(gathered({5, 7}, -1), "");
  EXPECT_EQ(gathered({9, 7}, 0), "");
  EXPECT_NE(gathered({5, 6}, -1), "");
  EXPECT_NE(gathered({7, 5}, -1), "");
  const auto scattered = [](std::vector<int64_t> given) {
    return Mismatch(
        Call::MPI_Scatterv_,
        {{Param::kCounts, std::move(given)}, {Param::kRecvCount, {5}}},
        {{Param::kRecvCount, {7}}});
  };
  EXPECT_EQ(scattered({5, 7}), "");
  EXPECT_NE(scattered({6, 7}), "");
  const auto by_all = [](int64_t second, int64_t in_place) {
    return Mismatch(Call::MPI_Allgatherv_,
                    {{Param::kCount, {5}}, {Param::kRecvCounts, {5, 7}}},
                    {{Param::kCount, {in_place == 1 ? 0 : 7}},
                     {Param::kRecvCounts, {5, second}}},
                    in_place);
  };
  EXPECT_EQ(by_all(7, -1), "");
  EXPECT_EQ(by_all(7, 1), "");
  EXPECT_NE(by_all(8, -1), "");
}

// Rank 2's message came first, then rank 1's; another order stands still.
Calls FirstFromTheLast() {
  Calls run(3);
  run.AnyRecv(0, 2);
  run.Message(0, Call::MPI_Recv_, 1);
  run.Message(1, Call::MPI_Send_, 0);
  run.Message(2, Call::MPI_Send_, 0);
  return run;
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

TEST(Progress, RanksThatDoNotExistAreRefused) {
  for (const Call call : {Call::MPI_Probe_, Call::MPI_Mprobe_, Call::MPI_Recv_,
                          Call::MPI_Send_, Call::MPI_Irecv_}) {
    for (const int64_t peer : {-1, 2, 1 << 20}) {
      Calls run(2);
      run.Message(1, call, peer);
      const reduction::Status refused = run.Refused();
      EXPECT_EQ(refused.code(), reduction::StatusCode::kBadInput);
      EXPECT_NE(refused.message().find("peer=" + std::to_string(peer)),
                std::string::npos)
          << refused.message();
    }
  }
}

TEST(Progress, WhoIsNotInTheCommunicatorIsRefused) {
  const auto said = [](int64_t to) {
    Calls run(4);
    for (const int64_t rank : {0, 1, 2, 3}) {
      run.Add(rank, Call::MPI_Comm_split_,
              {{Param::kColor, {rank / 2}},
               {Param::kKey, {rank}},
               {Param::kCommSize, {2}}});
    }
    const auto message = [&](int64_t rank, Call call, int64_t peer) {
      run.Add(rank, call, {{Param::kPeer, {peer}}, {Param::kComm, {2}}});
    };
    message(0, Call::MPI_Send_, to);
    message(to, Call::MPI_Recv_, 0);
    return run.Refused();
  };
  EXPECT_TRUE(said(1).ok()) << said(1).message();
  EXPECT_NE(said(2).message().find("rank 2 is not in the communicator"),
            std::string::npos)
      << said(2).message();
}

TEST(Progress, WhatARankDoesNotHaveItMayNotGiveUp) {
  const auto said = [](int64_t first, int64_t second) {
    Calls run(2);
    for (const int64_t rank : {0, 1}) {
      run.Add(rank, Call::MPI_Comm_dup_, {{Param::kCommSize, {2}}});
      // Nothing is made for who has no colour.
      run.Add(rank, Call::MPI_Comm_split_,
              {{Param::kColor, {rank == 0 ? 0 : reduction::kColorUndefined}},
               {Param::kCommSize, {rank == 0 ? 1 : 0}}});
    }
    for (const int64_t comm : {2, 3}) {
      run.Add(0, Call::MPI_Comm_free_, {{Param::kComm, {comm}}});
    }
    for (const int64_t comm : {first, second}) {
      run.Add(1, Call::MPI_Comm_free_, {{Param::kComm, {comm}}});
    }
    return run.Refused();
  };
  EXPECT_NE(said(2, 3).message().find("gives up a communicator"),
            std::string::npos)
      << said(2, 3).message();
  EXPECT_NE(said(2, 2).message().find("rank 1, event 5 (MPI_Comm_free"),
            std::string::npos)
      << said(2, 2).message();
  Calls run(1);
  for (int round = 0; round < 2; ++round) {
    run.Add(0, Call::MPI_Comm_dup_, {{Param::kCommSize, {1}}});
    run.Add(0, Call::MPI_Comm_free_, {{Param::kComm, {2 + round}}});
  }
  EXPECT_TRUE(run.Refused().ok()) << run.Refused().message();
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

// Rank 0 takes two messages of each other rank from whoever comes, every second
// one behind a probe.
Calls MasterAndWorkers(int64_t ranks) {
  Calls run{size_t(ranks)};
  for (int64_t i = 0; i < 2 * (ranks - 1); ++i) {
    const Values any = {{Param::kPeer, {kPeerAny}},
                        {Param::kTag, {reduction::kTagAny}}};
    if (i % 2 == 1) run.Add(0, Call::MPI_Probe_, any);
    run.Add(0, Call::MPI_Recv_, any);
  }
  for (int64_t r = 1; r < ranks; ++r) {
    run.Message(r, Call::MPI_Send_, 0, 8, 10 * r);
    run.Message(r, Call::MPI_Send_, 0, 8, 10 * r + 1);
  }
  return run;
}

TEST(Align, GivesEachMessageToOneReceiveAndProbesWhatFollows) {
  const auto alignment = MasterAndWorkers(5).Aligned();
  ASSERT_TRUE(alignment.ok()) << alignment.status().message();
  const std::vector<Match>& all = alignment->front();
  ASSERT_EQ(all.size(), 12u);
  std::map<int64_t, std::vector<int64_t>> tags;  // received, by source
  for (size_t i = 0; i < all.size(); ++i) {
    if (i % 3 == 1) {
      EXPECT_EQ(all[i], all[i + 1]) << i;
    } else {
      tags[all[i].source].push_back(all[i].tag);
    }
  }
  ASSERT_EQ(tags.size(), 4u);
  for (const auto& [source, received] : tags) {
    EXPECT_EQ(received, (std::vector<int64_t>{10 * source, 10 * source + 1}));
  }
  EXPECT_EQ(*alignment, *MasterAndWorkers(5).Aligned());
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

TEST(Align, LeavesReceivesByNameTheirMessages) {
  // Whatever comes first: the second of rank 1 is left for the open one.
  Calls run(2);
  run.Message(0, Call::MPI_Irecv_, 1, 8, 7);
  run.Add(0, Call::MPI_Irecv_,
          {{Param::kPeer, {kPeerAny}}, {Param::kTag, {7}}});
  run.Waitall(0, {2, 1});
  run.Message(1, Call::MPI_Send_, 0, 8, 7);
  run.Message(1, Call::MPI_Send_, 0, 8, 7);
  const auto alignment = run.Aligned();
  ASSERT_TRUE(alignment.ok()) << alignment.status().message();
  EXPECT_EQ(alignment->front(), (std::vector<Match>{{1, 7}}));
}

TEST(Align, GivesACancelledReceiveNothing) {
  Calls run(2);
  for (int i = 0; i < 2; ++i) {
    run.Add(0, Call::MPI_Irecv_, {{Param::kPeer, {kPeerAny}}});
    if (i == 0) run.OnRequest(0, Call::MPI_Cancel_, 1);
    run.OnRequest(0, Call::MPI_Wait_, 1);
  }
  run.Message(1, Call::MPI_Send_, 0);
  const auto alignment = run.Aligned();
  ASSERT_TRUE(alignment.ok()) << alignment.status().message();
  EXPECT_EQ(alignment->front(), (std::vector<Match>{Match{}, {1, 0}}));
}

TEST(Align, KeepsWhatTheRecordingSaysUnlessAskedNotTo) {
  Calls run = FirstFromTheLast();
  const auto recorded = run.Aligned();
  ASSERT_TRUE(recorded.ok());
  EXPECT_TRUE(recorded->front().empty());
  const auto anew = run.Aligned(true);
  EXPECT_EQ(anew.status().code(), reduction::StatusCode::kNo);
  EXPECT_NE(anew.status().message().find("rank 0, event 3"), std::string::npos)
      << anew.status().message();
}

TEST(Align, SendsThatMustBeHeldBackAre) {
  Calls run(2);
  for (int64_t r = 0; r < 2; ++r) {
    run.Message(r, Call::MPI_Send_, 1 - r, 1000);
    run.Add(r, Call::MPI_Recv_, {{Param::kPeer, {kPeerAny}}});
  }
  const auto alignment = run.Aligned();
  ASSERT_TRUE(alignment.ok()) << alignment.status().message();
  EXPECT_EQ(*alignment, (Alignment{{{1, 0}}, {{0, 0}}}));
}

}  // namespace
}  // namespace ranksight::replay_engine
