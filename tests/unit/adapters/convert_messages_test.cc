// Which calls become messages in other formats, and of what they receive.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "adapters/api/adapter.h"
#include "tests/unit/adapters/sample.h"
#ifdef RANKSIGHT_HAVE_OTF2
#include "adapters/otf2/otf2_adapter.h"
#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"
#include "tests/unit/adapters/otf2_records.h"
#endif

namespace ranksight::adapters {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Trace;

using Counts = std::map<std::string, uint64_t>;

// What the format could not hold of the trace.
Counts LeftOut(const Trace& trace, const std::string& name,
               const std::string& out) {
  Conversion done;
  const auto status = FindAdapter(name)->write({&trace, 1}, out, &done);
  EXPECT_TRUE(status.ok()) << status.message();
  return done.not_expressed;
}

// What each of two ranks does between MPI_Init and MPI_Finalize, given the
// other's number.
Trace TraceOfTwo(
    const std::function<std::vector<Event>(int64_t other)>& calls) {
  std::vector<std::vector<Event>> events;
  for (int64_t rank = 0; rank < 2; ++rank) {
    events.push_back({MakeEvent(Call::MPI_Init_, 1, {})});
    for (const Event& e : calls(1 - rank)) events.back().push_back(e);
    events.back().push_back(MakeEvent(Call::MPI_Finalize_, 99, {}));
  }
  return MakeTrace(events);
}

// A transfer within a lock: three calls that name their target.
Trace OneSidedTrace() {
  return TraceOfTwo([](int64_t other) {
    const Values target = {
        {Param::kPeer, {other}}, {Param::kCount, {4}}, {Param::kTypeSize, {8}}};
    return std::vector{MakeEvent(Call::MPI_Win_allocate_, 2, {}),
                       MakeEvent(Call::MPI_Win_lock_, 3, target),
                       MakeEvent(Call::MPI_Put_, 4, target),
                       MakeEvent(Call::MPI_Win_unlock_, 5, target),
                       MakeEvent(Call::MPI_Win_free_, 6, {})};
  });
}

TEST(Goal, OneSidedCallsAreCountedAndNoMessages) {
  const std::string out = TestFolder() + "/put.goal";
  EXPECT_EQ(LeftOut(OneSidedTrace(), "goal", out),
            (Counts{{"calls without a form", 10}}));
  EXPECT_EQ(ReadText(out).find("send"), std::string::npos) << ReadText(out);
}

TEST(Simgrid, OneSidedCallsAreCountedAndNoMessages) {
  const std::string out = TestFolder();
  EXPECT_EQ(LeftOut(OneSidedTrace(), "simgrid", out),
            (Counts{{"calls without a form", 10}}));
  const std::string actions = ReadText(out + "/0.trace.txt");
  EXPECT_EQ(actions.find("send"), std::string::npos) << actions;
}

#ifdef RANKSIGHT_HAVE_OTF2
TEST(Otf2, OneSidedCallsAreCountedAndHaveNoRecords) {
  const std::string out = TestFolder();
  EXPECT_EQ(LeftOut(OneSidedTrace(), "otf2", out),
            (Counts{{"records of one-sided calls", 10}}));
  EXPECT_EQ(MpiRecords(out, 0), std::vector<std::string>());
}
#endif

TEST(Goal, CallsThatNameNoPeerAreCounted) {
  const Trace trace = TraceOfTwo([](int64_t other) {
    return std::vector{
        MakeEvent(Call::MPI_Mprobe_, 2, {{Param::kPeer, {other}}}),
        MakeEvent(Call::MPI_Mrecv_, 3, {}),
        MakeEvent(Call::MPI_File_open_, 4, {}),
        MakeEvent(Call::MPI_Barrier_init_, 5, {}),
        MakeEvent(Call::MPI_Start_, 6,
                  {{Param::kRequestCount, {1}}, {Param::kRequests, {-1}}})};
  });
  EXPECT_EQ(LeftOut(trace, "goal", TestFolder() + "/out.goal"),
            (Counts{{"calls without a form", 2},
                    {"matched receives", 2},
                    {"persistent collectives", 2},
                    {"probes", 2}}));
}

// Sends of 1, 2, ... bytes with the tag on communicators 0 (the world), 1
// (MPI_COMM_SELF: to itself), 2 and 3 (duplicates).
Trace SameTagTrace(int64_t tag) {
  return TraceOfTwo([&](int64_t other) {
    std::vector<Event> calls;
    for (const uint32_t site : {2u, 3u}) {
      calls.push_back(
          MakeEvent(Call::MPI_Comm_dup_, site, {{Param::kCommSize, {2}}}));
    }
    for (int64_t comm = 0; comm < 4; ++comm) {
      calls.push_back(
          MakeEvent(Call::MPI_Send_, uint32_t(4 + comm),
                    {{Param::kCount, {comm + 1}},
                     {Param::kTypeSize, {1}},
                     {Param::kPeer, {comm == 1 ? 1 - other : other}},
                     {Param::kTag, {tag}},
                     {Param::kComm, {comm}}}));
    }
    return calls;
  });
}

// By bytes sent by rank 0.
std::map<std::string, std::string> GoalTags(const Trace& trace) {
  const std::string out = TestFolder() + "/tags.goal";
  LeftOut(trace, "goal", out);
  std::istringstream words(ReadText(out));
  std::map<std::string, std::string> tags;
  std::string bytes;
  for (std::string word; words >> word && tags.size() < 4;) {
    if (word == "send") words >> bytes;
    if (word == "tag") words >> tags[bytes];
  }
  return tags;
}

TEST(Goal, EqualTagsOnDifferentCommunicatorsDiffer) {
  for (const int64_t tag : {0, 10000000, 10000003, 2147483647}) {
    std::map<std::string, std::string> tags = GoalTags(SameTagTrace(tag));
    EXPECT_EQ(tags["1b"], std::to_string(tag));
    std::set<std::string> different;
    for (const auto& [bytes, text] : tags) different.insert(text);
    EXPECT_EQ(different.size(), 4u) << tag;
  }
}

// It matched a tag that no call of the trace names.
TEST(Goal, AReceiveThatNothingWasSentToHasATagOfNobodyElse) {
  const Trace trace = TraceOfTwo([](int64_t other) {
    return std::vector{
        MakeEvent(Call::MPI_Comm_dup_, 2, {{Param::kCommSize, {2}}}),
        MakeEvent(Call::MPI_Barrier_, 3, {}),
        MakeEvent(Call::MPI_Recv_, 4,
                  {{Param::kCount, {5}},
                   {Param::kTypeSize, {1}},
                   {Param::kPeer, {other}},
                   {Param::kTag, {reduction::kTagAny}},
                   {Param::kComm, {2}},
                   {Param::kMatchCount, {1}},
                   {Param::kMatched, {other}},
                   {Param::kMatchedTags, {7}}})};
  });
  const std::string out = TestFolder() + "/nobody.goal";
  LeftOut(trace, "goal", out);
  const std::string text = ReadText(out);
  EXPECT_NE(text.find("recv 1b from 1 tag 10000000\n"), text.npos) << text;
  EXPECT_NE(text.find("recv 5b from 1 tag 10000002\n"), text.npos) << text;
}

// Of an older trace, two ranks on two hosts: each obtains a communicator of
// itself alone.
TEST(Goal, CommunicatorsThatCannotBeToldAreNamed) {
  const Trace trace = TraceOfTwo([](int64_t) {
    return std::vector{
        MakeEvent(Call::MPI_Comm_split_type_, 2, {{Param::kCommSize, {1}}})};
  });
  Conversion done;
  const auto status = FindAdapter("goal")->write(
      {&trace, 1}, TestFolder() + "/hosts.goal", &done);
  EXPECT_EQ(status.code(), reduction::StatusCode::kNo);
  EXPECT_NE(status.message().find("MPI_Comm_split_type at ring+0x"),
            std::string::npos)
      << status.message();
}

Values OfBytes(int64_t bytes, const Values& more) {
  Values values = {{Param::kCount, {bytes}}, {Param::kTypeSize, {1}}};
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

Event OnRequests(Call call, uint32_t site, std::vector<int64_t> references,
                 const std::vector<int64_t>& matched = {}) {
  std::vector<int64_t> tags(matched.size(), 3);
  return MakeEvent(call, site,
                   {{Param::kRequestCount, {int64_t(references.size())}},
                    {Param::kRequests, references},
                    {Param::kMatchCount, {int64_t(matched.size())}},
                    {Param::kMatched, matched},
                    {Param::kMatchedTags, tags}});
}

// Three receives of anything, 10, 20 and 30 bytes with tag 3: one that does
// not block, one of MPI_Sendrecv, and a persistent one.
Trace AnySourceTrace() {
  return TraceOfTwo([](int64_t other) {
    const Values any = {{Param::kPeer, {reduction::kPeerAny}},
                        {Param::kTag, {reduction::kTagAny}}};
    const Values to = {{Param::kPeer, {other}}, {Param::kTag, {3}}};
    Values both = OfBytes(20, to);
    for (const auto& more : Values{{Param::kRecvPeer, {reduction::kPeerAny}},
                                   {Param::kRecvTag, {reduction::kTagAny}},
                                   {Param::kRecvCount, {20}},
                                   {Param::kRecvTypeSize, {1}},
                                   {Param::kMatchCount, {1}},
                                   {Param::kMatched, {other}},
                                   {Param::kMatchedTags, {3}}}) {
      both.push_back(more);
    }
    return std::vector{MakeEvent(Call::MPI_Irecv_, 2, OfBytes(10, any)),
                       MakeEvent(Call::MPI_Send_, 3, OfBytes(10, to)),
                       OnRequests(Call::MPI_Wait_, 4, {1}, {other}),
                       MakeEvent(Call::MPI_Sendrecv_, 5, both),
                       MakeEvent(Call::MPI_Recv_init_, 6, OfBytes(30, any)),
                       OnRequests(Call::MPI_Start_, 7, {-1}),
                       MakeEvent(Call::MPI_Send_, 8, OfBytes(30, to)),
                       OnRequests(Call::MPI_Wait_, 9, {-1}, {other})};
  });
}

// Lines of the text that hold one of the words, from there on.
std::vector<std::string> LinesFrom(const std::string& text,
                                   const std::vector<std::string>& words) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    for (const std::string& word : words) {
      const size_t at = line.find(word);
      if (at != line.npos) found.push_back(line.substr(at));
    }
  }
  return found;
}

using Lines = std::vector<std::string>;

TEST(Goal, ReceivesFromAnySourceNameWhatTheyMatched) {
  const std::string out = TestFolder() + "/any.goal";
  EXPECT_EQ(LeftOut(AnySourceTrace(), "goal", out), Counts());
  const std::string text = ReadText(out);
  EXPECT_EQ(LinesFrom(text.substr(0, text.find("rank 1")), {"recv"}),
            (Lines{"recv 10b from 1 tag 3", "recv 20b from 1 tag 3",
                   "recv 30b from 1 tag 3"}));
}

TEST(Simgrid, ReceivesFromAnySourceNameWhatTheyMatched) {
  const std::string out = TestFolder();
  LeftOut(AnySourceTrace(), "simgrid", out);
  EXPECT_EQ(LinesFrom(ReadText(out + "/0.trace.txt"), {"irecv", "wait"}),
            (Lines{"irecv 1 3 10", "wait 1 0 3", "irecv 1 3 20", "wait 1 0 3",
                   "wait 0 1 3", "irecv 1 3 30", "wait 1 0 3"}));
}

TEST(Dimemas, ReceivesFromAnySourceNameWhatTheyMatched) {
  const std::string out = TestFolder() + "/any.dim";
  EXPECT_EQ(LeftOut(AnySourceTrace(), "dimemas", out),
            (Counts{{"persistent requests (as started)", 2}}));
  EXPECT_EQ(LinesFrom(ReadText(out), {"3:0:0:"}),
            (Lines{"3:0:0:1:-1:10:3:1:1", "3:0:0:1:-1:10:3:1:2",
                   "3:0:0:1:-1:20:3:1:0", "3:0:0:1:-1:30:3:1:1",
                   "3:0:0:1:-1:30:3:1:2"}));
}

#ifdef RANKSIGHT_HAVE_OTF2
TEST(Otf2, ReceivesFromAnySourceNameWhatTheyMatched) {
  const std::string out = TestFolder();
  EXPECT_EQ(LeftOut(AnySourceTrace(), "otf2", out), Counts());
  EXPECT_EQ(
      MpiRecords(out, 0),
      (Lines{"request", "send 1 3 10", "received 1 3 10", "send 1 3 20",
             "receive 1 3 20", "request", "send 1 3 30", "received 1 3 30"}));
}
#endif

// Messages of 1 to 4 bytes with tags 3 and 4 by turns, received with room for
// 10, those with tag 4 first; then what is given, and one more of 5 bytes.
Trace RoomyTrace(const std::vector<Event>& more) {
  return TraceOfTwo([&](int64_t other) {
    const auto message = [&](Call call, uint32_t site, int64_t bytes,
                             int64_t tag) {
      return MakeEvent(
          call, site,
          OfBytes(bytes, {{Param::kPeer, {other}}, {Param::kTag, {tag}}}));
    };
    std::vector<Event> calls;
    for (int64_t i = 1; i <= 4; ++i) {
      calls.push_back(
          message(Call::MPI_Send_, uint32_t(i + 1), i, 3 + (i + 1) % 2));
    }
    calls.push_back(message(Call::MPI_Irecv_, 6, 10, 4));
    calls.push_back(message(Call::MPI_Recv_, 7, 10, 3));
    calls.push_back(message(Call::MPI_Recv_, 8, 10, 4));
    calls.push_back(message(Call::MPI_Recv_, 9, 10, 3));
    calls.push_back(OnRequests(Call::MPI_Wait_, 10, {1}));
    calls.insert(calls.end(), more.begin(), more.end());
    calls.push_back(message(Call::MPI_Send_, 11, 5, 3));
    calls.push_back(message(Call::MPI_Recv_, 12, 10, 3));
    return calls;
  });
}

TEST(Goal, AReceiveIsAsLongAsWhatItGets) {
  const std::string out = TestFolder() + "/roomy.goal";
  EXPECT_EQ(LeftOut(RoomyTrace({}), "goal", out), Counts());
  const std::string text = ReadText(out);
  EXPECT_EQ(LinesFrom(text.substr(0, text.find("rank 1")), {"recv"}),
            (Lines{"recv 2b from 1 tag 4", "recv 1b from 1 tag 3",
                   "recv 4b from 1 tag 4", "recv 3b from 1 tag 3",
                   "recv 5b from 1 tag 3"}));
}

TEST(Goal, AReceiveIsAsLongAsItAsksForWhereOthersAreNotKnown) {
  const std::string out = TestFolder() + "/roomy.goal";
  const auto probe = MakeEvent(Call::MPI_Mprobe_, 20, {{Param::kPeer, {0}}});
  const auto receive = MakeEvent(Call::MPI_Mrecv_, 21, {});
  LeftOut(RoomyTrace({probe, receive}), "goal", out);
  const std::string text = ReadText(out);
  EXPECT_EQ(LinesFrom(text, {"recv 10b"}).size(), 2u * 5);
}

TEST(Goal, ReceivesWhoseMatchIsNotKnownAreCounted) {
  const Trace trace = TraceOfTwo([](int64_t other) {
    const auto receive = [](uint32_t site, int64_t from, int64_t tag) {
      return MakeEvent(
          Call::MPI_Irecv_, site,
          OfBytes(10, {{Param::kPeer, {from}}, {Param::kTag, {tag}}}));
    };
    return std::vector{receive(2, reduction::kPeerAny, 3),
                       receive(3, other, reduction::kTagAny),
                       receive(4, reduction::kPeerNull, reduction::kTagAny)};
  });
  const std::string out = TestFolder() + "/any.goal";
  EXPECT_EQ(
      LeftOut(trace, "goal", out),
      (Counts{{"receives from any source", 2}, {"receives with any tag", 2}}));
  EXPECT_EQ(ReadText(out).find("recv"), std::string::npos);
}

// Receives that end with a cancel: completed, freed, persistent, and from any
// source. Then one more start of the persistent one, of 30 bytes, which
// receives.
Trace CancelledTrace() {
  return TraceOfTwo([](int64_t other) {
    const auto receive = [](Call call, uint32_t site, int64_t from,
                            int64_t bytes) {
      return MakeEvent(
          call, site,
          OfBytes(bytes, {{Param::kPeer, {from}}, {Param::kTag, {3}}}));
    };
    return std::vector{
        receive(Call::MPI_Irecv_, 2, other, 10),
        OnRequests(Call::MPI_Cancel_, 3, {1}),
        OnRequests(Call::MPI_Wait_, 4, {1}),
        receive(Call::MPI_Irecv_, 5, other, 10),
        OnRequests(Call::MPI_Cancel_, 6, {1}),
        OnRequests(Call::MPI_Request_free_, 7, {1}),
        receive(Call::MPI_Irecv_, 8, reduction::kPeerAny, 10),
        OnRequests(Call::MPI_Cancel_, 9, {1}),
        OnRequests(Call::MPI_Wait_, 10, {1}, {reduction::kNone}),
        receive(Call::MPI_Recv_init_, 11, other, 30),
        OnRequests(Call::MPI_Start_, 12, {-1}),
        OnRequests(Call::MPI_Cancel_, 13, {-1}),
        OnRequests(Call::MPI_Wait_, 14, {-1}),
        OnRequests(Call::MPI_Start_, 15, {-1}),
        MakeEvent(Call::MPI_Send_, 16,
                  OfBytes(30, {{Param::kPeer, {other}}, {Param::kTag, {3}}})),
        OnRequests(Call::MPI_Wait_, 17, {-1})};
  });
}

TEST(Goal, CancelledReceivesAreLeftOut) {
  const std::string out = TestFolder() + "/cancelled.goal";
  const Counts left = LeftOut(CancelledTrace(), "goal", out);
  EXPECT_EQ(left.at("cancelled receives"), 8u);
  const std::string text = ReadText(out);
  EXPECT_EQ(LinesFrom(text.substr(0, text.find("rank 1")), {"recv"}),
            (Lines{"recv 30b from 1 tag 3"}));
}

TEST(Simgrid, CancelledReceivesAreLeftOut) {
  const std::string out = TestFolder();
  const Counts left = LeftOut(CancelledTrace(), "simgrid", out);
  EXPECT_EQ(left.at("cancelled receives"), 8u);
  EXPECT_EQ(LinesFrom(ReadText(out + "/0.trace.txt"), {"irecv", "wait"}),
            (Lines{"irecv 1 3 30", "wait 1 0 3"}));
}

TEST(Dimemas, CancelledReceivesAreLeftOut) {
  const std::string out = TestFolder() + "/cancelled.dim";
  const Counts left = LeftOut(CancelledTrace(), "dimemas", out);
  EXPECT_EQ(left.at("cancelled receives"), 8u);
  EXPECT_EQ(LinesFrom(ReadText(out), {"3:0:0:"}),
            (Lines{"3:0:0:1:-1:30:3:1:1", "3:0:0:1:-1:30:3:1:2"}));
}

// How many records of the call, by the format's number, a DUMPI file says that
// it has: the footer lists them as big-endian numbers of four bytes.
int RecordsOf(int call, const std::string& file) {
  const std::string footer("\0\0\0\0\xf0\x07\xfe\xe7", 8);
  const size_t at = file.find(footer) + footer.size() + 4 * size_t(call);
  int count = 0;
  for (size_t i = 0; i < 4; ++i) count = 256 * count + uint8_t(file[at + i]);
  return count;
}

TEST(Dumpi, CancelledReceivesAreLeftOut) {
  constexpr int kIrecv = 12, kWait = 13, kStart = 31;
  const std::string out = TestFolder();
  const Counts left = LeftOut(CancelledTrace(), "dumpi", out);
  EXPECT_EQ(left.at("cancelled receives"), 8u);
  const std::string file = ReadText(out + "/dumpi-ring-0000.bin");
  EXPECT_EQ(RecordsOf(kIrecv, file), 0);
  EXPECT_EQ(RecordsOf(kStart, file), 1);
  EXPECT_EQ(RecordsOf(kWait, file), 1);
}

TEST(Dumpi, AFreedRequestHasItsRecord) {
  constexpr int kRequestFree = 15, kWaitall = 18;
  const Trace trace = TraceOfTwo([](int64_t other) {
    return std::vector{
        MakeEvent(Call::MPI_Isend_, 2, OfBytes(8, {{Param::kPeer, {other}}})),
        OnRequests(Call::MPI_Request_free_, 3, {1}),
        MakeEvent(Call::MPI_Recv_, 4, OfBytes(8, {{Param::kPeer, {other}}}))};
  });
  const std::string out = TestFolder();
  EXPECT_EQ(LeftOut(trace, "dumpi", out), Counts());
  const std::string file = ReadText(out + "/dumpi-ring-0000.bin");
  EXPECT_EQ(RecordsOf(kRequestFree, file), 1);
  EXPECT_EQ(RecordsOf(kWaitall, file), 0);
}

#ifdef RANKSIGHT_HAVE_OTF2
TEST(Otf2, CancelledReceivesHaveTheirOwnRecord) {
  const std::string out = TestFolder();
  LeftOut(CancelledTrace(), "otf2", out);
  EXPECT_EQ(MpiRecords(out, 0),
            (Lines{"request", "cancelled", "request", "request", "cancelled",
                   "request", "cancelled", "request", "send 1 3 30",
                   "received 1 3 30"}));
}
#endif

#ifdef RANKSIGHT_HAVE_OTF2
// They come back as they were, and are on no other communicator for others.
TEST(Otf2, CommunicatorsThatNobodySawBeingMadeStayThat) {
  const Values none = {{Param::kComm, {reduction::kNone}},
                       {Param::kPeer, {reduction::kNone}}};
  const Trace trace = TraceOfTwo([&](int64_t) {
    return std::vector{MakeEvent(Call::MPI_Send_, 2, OfBytes(8, none)),
                       MakeEvent(Call::MPI_Barrier_, 3, none)};
  });
  const std::string out = TestFolder();
  EXPECT_EQ(
      LeftOut(trace, "otf2", out),
      (Counts{{"records on communicators that nobody saw being made", 4}}));
  EXPECT_EQ(MpiRecords(out, 0), Lines());
  const auto back = otf2::ReadArchive(out, true);
  ASSERT_TRUE(back.ok()) << back.status().message();
  auto cursor = reduction::Cursor::Open(*back, 0);
  for (const char* text :
       {"MPI_Init", "MPI_Send comm=none peer=none tag=0 bytes=8",
        "MPI_Barrier comm=none"}) {
    ASSERT_TRUE(cursor->Next());
    EXPECT_EQ(CanonicalText(cursor->event()), text);
  }
}

// Ranks 0 and 1, each a group of its own, where 0 sends to 1.
TEST(Otf2, CollectivesBetweenTwoGroupsHaveNoHalfRecords) {
  const Trace trace = TraceOfTwo([](int64_t other) {
    const int64_t root = other == 1 ? reduction::kPeerRoot : 0;
    return std::vector{
        MakeEvent(Call::MPI_Comm_split_, 2,
                  {{Param::kColor, {other}}, {Param::kCommSize, {1}}}),
        MakeEvent(Call::MPI_Intercomm_create_, 3,
                  {{Param::kComm, {2}},
                   {Param::kLeader, {1 - other}},
                   {Param::kPeer, {other}},
                   {Param::kCommSize, {1}}}),
        MakeEvent(Call::MPI_Bcast_, 4,
                  {{Param::kComm, {3}}, {Param::kRoot, {root}}}),
        MakeEvent(Call::MPI_Send_, 5,
                  {{Param::kComm, {3}}, {Param::kPeer, {other}}}),
        MakeEvent(Call::MPI_Bcast_, 6, {{Param::kRoot, {0}}})};
  });
  const std::string out = TestFolder();
  EXPECT_EQ(LeftOut(trace, "otf2", out),
            (Counts{{"records between two groups", 4}}));
  const Lines made_two_and_broadcast = {"begin", "end",   "begin",
                                        "end",   "begin", "end"};
  EXPECT_EQ(MpiRecords(out, 0), made_two_and_broadcast);
  EXPECT_EQ(MpiRecords(out, 1), made_two_and_broadcast);
}
#endif

}  // namespace
}  // namespace ranksight::adapters
