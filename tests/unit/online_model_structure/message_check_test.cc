#include "online_model/synthesize/message_check.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "online_model/synthesize/channel_table.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"
#include "tests/unit/online_model_structure/stencil_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Node;
using reduction::Param;
using reduction::Parameter;
using reduction::Section;
using reduction::StatusCode;
using reduction::Trace;
using testing::RunOf;

Trace Recorded() { return RunOf({.periodic = {true, true}}, {3, 3}); }

// What rank 4 gives the first call of that name: the parameter's values times
// `factor`.
void Multiply(Call call, Param which, int64_t factor, Trace* trace) {
  bool done = false;
  reduction::ForEachEvent(trace->root, [&](Node& node) {
    if (node.call != call || done) return;
    done = true;
    const auto params = reduction::Info(call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (params[i] != which) continue;
      Parameter changed;
      for (int64_t rank = 0; rank < trace->meta.ranks; ++rank) {
        Section values = node.params[i].At(rank);
        if (rank == 4) {
          Section times;
          for (const int64_t v : values.Expand()) times.Append(v * factor);
          values = times;
        }
        changed.Add(rank, values, false);
      }
      node.params[i] = changed;
    }
  });
  ASSERT_TRUE(done);
}

TEST(CheckMessages, OfARunGoTogether) {
  EXPECT_TRUE(CheckMessages(Recorded(), Recorded()).ok());
}

TEST(CheckMessages, ASendLongerThanItsReceiveIsNamed) {
  Trace made = Recorded();
  Multiply(Call::MPI_Isend_, Param::kCount, 2, &made);
  const auto status = CheckMessages(made, Recorded());
  EXPECT_EQ(status.code(), StatusCode::kNo);
  EXPECT_NE(status.message().find("rank 4 sends rank"), std::string::npos)
      << status.message();
  // 5 steps of 16 doubles.
  EXPECT_NE(status.message().find("5 messages of 1280 bytes"),
            std::string::npos)
      << status.message();
}

TEST(CheckMessages, AMessageNobodyReceivesIsNamed) {
  Trace made = Recorded();
  Multiply(Call::MPI_Isend_, Param::kTag, 100, &made);
  EXPECT_EQ(CheckMessages(made, Recorded()).code(), StatusCode::kNo);
}

TEST(CheckMessages, WhatTheRecordedRunDoesTooIsNoContradiction) {
  Trace made = Recorded(), recorded = Recorded();
  Multiply(Call::MPI_Irecv_, Param::kCount, 2, &made);
  EXPECT_FALSE(CheckMessages(made, recorded).ok());
  Multiply(Call::MPI_Irecv_, Param::kCount, 3, &recorded);
  EXPECT_TRUE(CheckMessages(made, recorded).ok());
}

TEST(CheckMessages, ReceivesFromAnySourceSayNothing) {
  Trace made = Recorded();
  Multiply(Call::MPI_Isend_, Param::kCount, 2, &made);
  reduction::ForEachEvent(made.root, [&](Node& node) {
    if (node.call != Call::MPI_Irecv_) return;
    const auto params = reduction::Info(node.call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (params[i] != Param::kPeer) continue;
      Parameter any;
      for (int64_t rank = 0; rank < made.meta.ranks; ++rank) {
        any.Add(rank,
                Section::Constant(reduction::kPeerAny,
                                  node.params[i].At(rank).size()),
                true);
      }
      node.params[i] = any;
    }
  });
  EXPECT_TRUE(CheckMessages(made, Recorded()).ok());
}

// What rank 0 and rank 1 of two call, folded and merged.
using Calls = std::vector<std::pair<Call, std::map<Param, int64_t>>>;
Trace OfTwo(const std::vector<Calls>& ranks) {
  Trace all;
  for (const int64_t rank : {0, 1}) {
    reduction::Folder folder;
    const uint32_t module = folder.AddModule({"ab12", "two"});
    reduction::CallSite call_site;
    call_site.frames = {{module, 0x100}};
    const uint32_t site = folder.AddSite(call_site);
    for (const auto& [call, values] : ranks[size_t(rank)]) {
      reduction::Event e(call);
      e.site = site;
      for (const Param p : reduction::Info(call).params) {
        const auto at = values.find(p);
        const int64_t v = at == values.end() ? 0 : at->second;
        const bool none =
            reduction::IsArray(p) && e.Get(reduction::LengthOf(call, p)) == 0;
        if (none) {
          e.AddArray({});
        } else {
          reduction::IsArray(p) ? e.AddArray({&v, 1}) : e.Add(v);
        }
      }
      folder.Push(e, 1000, 100);
    }
    Trace one = folder.Snapshot(rank, 2);
    if (rank == 0) {
      all = std::move(one);
      continue;
    }
    auto merged = reduction::Merge(std::move(all), std::move(one));
    EXPECT_TRUE(merged.ok());
    all = std::move(*merged);
  }
  return all;
}

// By every call that sends or receives and returns when it has: `other` is
// asked to be the other rank.
Trace Exchanged(Call send, Call receive, int64_t other, int64_t length) {
  std::vector<Calls> ranks(2);
  for (const int64_t rank : {0, 1}) {
    const int64_t to = rank == 0 ? other : 0;
    const std::map<Param, int64_t> values = {
        {Param::kPeer, to},      {Param::kRecvPeer, to},
        {Param::kCount, length}, {Param::kTypeSize, 8},
        {Param::kRecvCount, 4},  {Param::kRecvTypeSize, 8}};
    std::map<Param, int64_t> received = values;
    received[Param::kCount] = 4;
    Calls& calls = ranks[size_t(rank)];
    calls.emplace_back(send, values);
    if (receive != send) calls.emplace_back(receive, received);
  }
  return OfTwo(ranks);
}

TEST(CheckMessages, LooksAtCallsThatReturnWhenTheyAreDone) {
  const std::pair<Call, Call> pairs[] = {
      {Call::MPI_Send_, Call::MPI_Recv_},
      {Call::MPI_Ssend_, Call::MPI_Recv_},
      {Call::MPI_Isend_, Call::MPI_Recv_},
      {Call::MPI_Sendrecv_, Call::MPI_Sendrecv_},
      {Call::MPI_Isendrecv_, Call::MPI_Isendrecv_},
      {Call::MPI_Sendrecv_replace_, Call::MPI_Sendrecv_replace_}};
  for (const auto& [send, receive] : pairs) {
    const auto name = reduction::Info(send).name;
    const Trace good = Exchanged(send, receive, 1, 4);
    EXPECT_TRUE(CheckMessages(good, good).ok()) << name;
    const auto outside = CheckMessages(Exchanged(send, receive, 2, 4), good);
    EXPECT_EQ(outside.code(), StatusCode::kNo) << name;
    EXPECT_NE(outside.message().find("which is not there"), std::string::npos)
        << outside.message();
    if (send == Call::MPI_Sendrecv_replace_) continue;
    const auto longer = CheckMessages(Exchanged(send, receive, 1, 5), good);
    EXPECT_NE(longer.message().find("rank 0 sends rank 1 1 messages of 40"),
              std::string::npos)
        << name << ": " << longer.message();
  }
}

// Of one kind it does say nothing, of others it does.
TEST(CheckMessages, AMismatchOfTheRecordedRunExcusesItsKindAlone) {
  const Trace longer = Exchanged(Call::MPI_Send_, Call::MPI_Recv_, 1, 5);
  EXPECT_TRUE(CheckMessages(longer, longer).ok());
  const Trace outside = Exchanged(Call::MPI_Send_, Call::MPI_Recv_, 2, 4);
  EXPECT_EQ(CheckMessages(outside, longer).code(), StatusCode::kNo);
}

// Rank 0 starts a persistent send to rank 1 so often, which starts its receive
// so often.
Trace Started(int sends, int receives) {
  std::vector<Calls> ranks(2);
  for (const int64_t rank : {0, 1}) {
    Calls& calls = ranks[size_t(rank)];
    calls.emplace_back(rank == 0 ? Call::MPI_Send_init_ : Call::MPI_Recv_init_,
                       std::map<Param, int64_t>{{Param::kPeer, 1 - rank},
                                                {Param::kCount, 4},
                                                {Param::kTypeSize, 8}});
    for (int i = 0; i < (rank == 0 ? sends : receives); ++i) {
      for (const Call call : {Call::MPI_Start_, Call::MPI_Wait_}) {
        calls.emplace_back(call,
                           std::map<Param, int64_t>{{Param::kRequestCount, 1},
                                                    {Param::kRequests, -1}});
      }
    }
  }
  return OfTwo(ranks);
}

TEST(CheckMessages, PersistentRequestsSendAsOftenAsTheyAreStarted) {
  EXPECT_TRUE(CheckMessages(Started(3, 3), Started(3, 3)).ok());
  const auto status = CheckMessages(Started(3, 2), Started(3, 3));
  EXPECT_EQ(status.code(), StatusCode::kNo);
  EXPECT_NE(status.message().find("rank 0 sends rank 1 3 messages of 96 bytes"),
            std::string::npos)
      << status.message();
}

// Node by node, as rank by rank and call by call.
TEST(ChannelTable, IsWhatTheRanksSendOneByOne) {
  const Trace trace = RunOf({.periodic = {true, false}, .cells = 7}, {4, 3});
  std::map<ChannelKey, int64_t> sent;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto walk = reduction::RankWalk::Open(trace, rank);
    ASSERT_TRUE(walk.ok());
    while (walk->Next()) {
      const reduction::Request& r = walk->made();
      if (r.kind != reduction::Request::Kind::kSend) continue;
      sent[{rank, r.peer, r.tag}] += r.bytes;
    }
  }
  ChannelTable table;
  ASSERT_TRUE(table.See(trace).ok());
  std::map<ChannelKey, int64_t> seen;
  for (const auto& [key, channel] : table.channels()) {
    EXPECT_EQ(channel.sent.count, channel.posted.count);
    seen[key] = channel.sent.bytes;
  }
  EXPECT_EQ(seen, sent);
}

// Nine ranks in three rows of as many as `members` says.
Trace InRows(int64_t members) {
  Trace trace = Recorded();
  Node split;
  split.kind = Node::Kind::kEvent;
  split.call = Call::MPI_Comm_split_;
  const auto params = reduction::Info(split.call).params;
  split.params.resize(params.size());
  const auto add = [](int64_t rank, int64_t value, Parameter* to) {
    Section one;
    one.Append(value);
    to->Add(rank, one, false);
  };
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    add(rank, 1, &split.trips);
    for (size_t i = 0; i < params.size(); ++i) {
      const int64_t value = params[i] == Param::kColor      ? rank / 3
                            : params[i] == Param::kKey      ? rank
                            : params[i] == Param::kCommSize ? members
                                                            : 0;
      add(rank, value, &split.params[i]);
    }
  }
  trace.root.children.push_back(split);
  return trace;
}

TEST(CheckMessages, CommunicatorsOfOtherSizesThanTheirMembersAreNamed) {
  EXPECT_TRUE(CheckMessages(InRows(3), InRows(3)).ok());
  const auto status = CheckMessages(InRows(9), InRows(3));
  EXPECT_EQ(status.code(), StatusCode::kNo);
  EXPECT_NE(status.message().find("MPI_Comm_split"), std::string::npos)
      << status.message();
  EXPECT_TRUE(CheckMessages(InRows(9), InRows(9)).ok());
}

}  // namespace
}  // namespace ranksight::online_model
