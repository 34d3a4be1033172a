#include "reduction/api/look_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "reduction/api/folder.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::reduction {
namespace {

struct Matched {
  int64_t source = kNone, tag = kNone;
};

// One rank's calls.
class Recording {
 public:
  Recording() : module_(folder_.AddModule({"ab", "app"})) {}

  void Receive(int64_t source, int64_t tag) {
    Push(Call::MPI_Irecv_, {{Param::kPeer, {source}}, {Param::kTag, {tag}}});
  }
  void Persistent(int64_t source, int64_t tag) {
    Push(Call::MPI_Recv_init_,
         {{Param::kPeer, {source}}, {Param::kTag, {tag}}});
  }
  void OnRequests(Call call, std::vector<int64_t> references,
                  const std::vector<Matched>& matched = {},
                  const std::vector<int64_t>& done = {}) {
    std::vector<int64_t> sources, tags;
    for (const Matched& m : matched) {
      sources.push_back(m.source);
      tags.push_back(m.tag);
    }
    Push(call, {{Param::kRequestCount, {int64_t(references.size())}},
                {Param::kOpenCount, {int64_t(references.size())}},
                {Param::kRequests, references},
                {Param::kDoneCount, {int64_t(done.size())}},
                {Param::kDone, done},
                {Param::kMatchCount, {int64_t(matched.size())}},
                {Param::kMatched, sources},
                {Param::kMatchedTags, tags}});
  }
  Trace Finish() { return folder_.Snapshot(0, 1); }

 private:
  void Push(Call call, const std::map<Param, std::vector<int64_t>>& values) {
    Event e(call);
    for (const Param p : Info(call).params) {
      const auto given = values.find(p);
      if (given != values.end()) {
        e.AddArray(given->second);
      } else if (IsArray(p)) {
        e.AddArray({});
      } else {
        e.Add(0);
      }
    }
    ASSERT_TRUE(e.Complete());
    e.site = folder_.AddSite({{{module_, 16 + uint64_t(call)}}});
    folder_.Push(e, 1, 1);
  }
  Folder folder_;
  uint32_t module_;
};

// The receives that begin, in order, as a walk that looks ahead says them.
std::vector<Request> Begun(const Trace& trace) {
  std::vector<Request> begun;
  auto walk = RankWalk::OpenAhead(trace, 0);
  EXPECT_TRUE(walk.ok());
  while (walk->Next()) {
    const bool persistent = Info(walk->event().call()).makes_persistent;
    if (!persistent && walk->made().kind != Request::Kind::kNone) {
      begun.push_back(walk->made());
    }
    for (const Request& r : walk->started()) begun.push_back(r);
  }
  EXPECT_TRUE(walk->status().ok());
  return begun;
}

TEST(LookAhead, AReceiveNamesWhatItWillMatch) {
  Recording recording;
  recording.Receive(kPeerAny, 7);
  recording.Receive(3, kTagAny);
  recording.Receive(2, 5);
  recording.Receive(kPeerNull, kTagAny);
  recording.OnRequests(Call::MPI_Waitany_, {4, 3, 2}, {{3, 9}}, {1});
  recording.OnRequests(Call::MPI_Waitall_, {1, 4, 2}, {{6, 7}});
  const std::vector<Request> begun = Begun(recording.Finish());
  ASSERT_EQ(begun.size(), 4u);
  EXPECT_EQ(begun[0].peer, 6);
  EXPECT_EQ(begun[0].tag, 7);
  EXPECT_EQ(begun[1].peer, 3);
  EXPECT_EQ(begun[1].tag, 9);
  EXPECT_EQ(begun[2].peer, 2);
  EXPECT_EQ(begun[3].peer, kPeerNull);
}

TEST(LookAhead, WhatCompletesAReceiveNamesTheSame) {
  Recording recording;
  recording.Receive(kPeerAny, kTagAny);
  recording.Persistent(kPeerAny, 7);
  recording.OnRequests(Call::MPI_Start_, {-1});
  recording.OnRequests(Call::MPI_Waitall_, {-1, 1}, {{4, 7}, {6, 8}});
  const Trace trace = recording.Finish();
  auto walk = RankWalk::OpenAhead(trace, 0);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(walk->Next());
  ASSERT_EQ(walk->completed().size(), 2u);
  EXPECT_EQ(walk->completed()[0].peer, 4);
  EXPECT_EQ(walk->completed()[1].peer, 6);
  EXPECT_EQ(walk->completed()[1].tag, 8);
}

TEST(LookAhead, EachStartOfAPersistentReceiveHasItsMatch) {
  Recording recording;
  recording.Persistent(kPeerAny, 7);
  recording.Receive(kPeerAny, 7);
  // Not started yet, and yet among the matches.
  recording.OnRequests(Call::MPI_Waitall_, {-1, 1}, {{}, {9, 7}});
  for (int64_t i = 0; i < 3; ++i) {
    recording.OnRequests(Call::MPI_Start_, {-1});
    recording.OnRequests(Call::MPI_Wait_, {-1}, {{i, 7}});
  }
  const std::vector<Request> begun = Begun(recording.Finish());
  ASSERT_EQ(begun.size(), 4u);
  EXPECT_EQ(begun[0].peer, 9);
  for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(begun[size_t(i) + 1].peer, i);
}

TEST(LookAhead, AReceiveThatWasCancelledSaysSo) {
  Recording recording;
  recording.Receive(1, 7);
  recording.OnRequests(Call::MPI_Cancel_, {1});
  recording.OnRequests(Call::MPI_Wait_, {1});
  recording.Receive(1, 7);  // as before, but completed
  recording.OnRequests(Call::MPI_Wait_, {1});
  recording.Receive(kPeerAny, 7);
  recording.OnRequests(Call::MPI_Cancel_, {1});
  recording.OnRequests(Call::MPI_Wait_, {1}, {{}});
  recording.Receive(kPeerAny, 7);  // the cancel came too late
  recording.OnRequests(Call::MPI_Cancel_, {1});
  recording.OnRequests(Call::MPI_Wait_, {1}, {{5, 7}});
  recording.Receive(1, 7);
  recording.OnRequests(Call::MPI_Cancel_, {1});
  recording.OnRequests(Call::MPI_Request_free_, {1});
  recording.Persistent(1, 7);
  recording.OnRequests(Call::MPI_Start_, {-1});
  recording.OnRequests(Call::MPI_Cancel_, {-1});
  recording.OnRequests(Call::MPI_Wait_, {-1});
  recording.OnRequests(Call::MPI_Start_, {-1});
  recording.OnRequests(Call::MPI_Wait_, {-1});
  std::vector<bool> cancelled;
  for (const Request& r : Begun(recording.Finish())) {
    cancelled.push_back(r.cancelled);
  }
  EXPECT_EQ(cancelled,
            std::vector<bool>({true, false, true, false, true, true, false}));
}

TEST(LookAhead, WithoutARecordedMatchNothingIsGuessed) {
  Recording recording;
  recording.Receive(kPeerAny, 7);
  recording.Receive(kPeerAny, 7);
  recording.OnRequests(Call::MPI_Waitall_, {2, 1}, {{5, 7}});  // one is lacking
  recording.Receive(kPeerAny, 7);  // never completes
  for (const Request& r : Begun(recording.Finish())) {
    EXPECT_EQ(r.peer, kPeerAny);
    EXPECT_FALSE(r.cancelled);
  }
}

// Receives that complete in any order, long after others began.
TEST(LookAhead, ManyReceivesUnderWayKeepTheirMatches) {
  std::mt19937 rng(7);
  Recording recording;
  std::vector<Matched> expected;
  std::vector<std::pair<int64_t, bool>> open;  // number, asks for any
  for (int64_t made = 0; made < 5000;) {
    if (rng() % 2 == 0 || open.empty()) {
      const bool any = rng() % 3 != 0;
      const Matched match = {int64_t(rng() % 100), int64_t(rng() % 10)};
      recording.Receive(any ? kPeerAny : match.source, match.tag);
      expected.push_back(match);
      open.emplace_back(made++, any);
      continue;
    }
    std::shuffle(open.begin(), open.end(), rng);
    const size_t count = 1 + rng() % open.size();
    std::vector<int64_t> references;
    std::vector<Matched> matches;
    for (size_t i = 0; i < count; ++i) {
      const auto [number, any] = open.back();
      open.pop_back();
      references.push_back(made - number);
      if (any) matches.push_back(expected[size_t(number)]);
    }
    recording.OnRequests(Call::MPI_Waitall_, references, matches);
    if (rng() % 8 == 0) recording.OnRequests(Call::MPI_Cancel_, {0});
  }
  std::vector<Matched> known = expected;
  for (const auto& [number, any] : open) {
    if (any) known[size_t(number)].source = kPeerAny;  // never completes
  }
  const std::vector<Request> begun = Begun(recording.Finish());
  ASSERT_EQ(begun.size(), known.size());
  for (size_t i = 0; i < begun.size(); ++i) {
    ASSERT_EQ(begun[i].peer, known[i].source) << i;
    ASSERT_EQ(begun[i].tag, known[i].tag) << i;
    ASSERT_FALSE(begun[i].cancelled) << i;
  }
}

}  // namespace
}  // namespace ranksight::reduction
