#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "adapters/otf2/apart.h"
#include "adapters/otf2/collective_sizes.h"
#include "adapters/otf2/otf2_adapter.h"
#include "reduction/api/call.h"
#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"
#include "tests/unit/adapters/foreign_archive.h"
#include "tests/unit/adapters/sample.h"
#include "tests/unit/adapters/score_p_archive.h"

namespace ranksight::adapters {
namespace {

using reduction::Call;
using reduction::Param;

std::vector<std::string> Texts(const reduction::Trace& trace, int64_t rank) {
  std::vector<std::string> texts;
  auto cursor = reduction::Cursor::Open(trace, rank);
  while (cursor->Next()) texts.push_back(CanonicalText(cursor->event()));
  return texts;
}

// What the archive's ranks call, with the sizes that the calls were given.
std::vector<std::string> Expected(int rank, bool new_records) {
  const std::string split = rank == 2 ? "1" : "2";
  const std::string last = std::to_string((rank + 2) % 3);
  const std::string next = std::to_string((rank + 1) % 3);
  return {
      "MPI_Init",
      "MPI_Irecv comm=0 peer=" + last + " tag=5 bytes=8",
      "MPI_Isend comm=0 peer=" + next + " tag=5 bytes=8",
      "MPI_Waitall n=2",
      "MPI_Bcast comm=0 bytes=16 root=1",
      "MPI_Allreduce comm=0 bytes=24",
      "MPI_Scan comm=0 bytes=8",
      rank == 0 ? "MPI_Gather comm=0 bytes=0 rbytes=4 root=0"
                : "MPI_Gather comm=0 bytes=4 rbytes=0 root=0",
      "MPI_Comm_split comm=0 n=" + split,
      "MPI_Allreduce comm=2 bytes=40",
      "MPI_Comm_split comm=0 n=1",
      "MPI_Iallreduce comm=0 bytes=" + std::string(new_records ? "12" : "0"),
      "MPI_Wait n=" + std::string(new_records ? "1" : "0")};
}

void ExpectArchiveReads(bool new_records) {
  const std::string folder = TestFolder();
  ASSERT_TRUE(WriteScorePArchive(folder, {.new_records = new_records}));
  const auto trace = otf2::ReadArchive(folder + "/traces.otf2", true);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  ASSERT_EQ(trace->meta.ranks, 3);
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(Texts(*trace, rank), Expected(rank, new_records)) << rank;
  }
  const char* lost = "sizes of collectives without a record";
  EXPECT_EQ(trace->meta.losses.contains(lost), !new_records);
  EXPECT_FALSE(trace->meta.losses.contains(
      "records on communicators that are not defined"));
  // Score-P does not say of which one that of a process alone was made: two on
  // one rank, one on the others.
  const char* parents = "parents of communicators without a record";
  ASSERT_TRUE(trace->meta.losses.contains(parents));
  EXPECT_EQ(trace->meta.losses.at(parents), 4u);
}

TEST(Otf2, AnArchiveOfScorePReadsAsWhatItsCallsWereGiven) {
  ExpectArchiveReads(false);
}

TEST(Otf2, RecordsOfNewerScorePAreRead) { ExpectArchiveReads(true); }

TEST(Otf2, AnArchiveWithoutMpiCallsIsRefused) {
  const std::string folder = TestFolder();
  ASSERT_TRUE(WriteScorePArchive(folder, {.any_calls = false}));
  const auto trace = otf2::ReadArchive(folder + "/traces.otf2", true);
  ASSERT_FALSE(trace.ok());
  EXPECT_NE(trace.status().message().find("no MPI calls"), std::string::npos);
}

using Lines = std::vector<std::string>;

Lines InCall(const std::string& name, const Lines& records = {}) {
  Lines lines = {"enter " + name};
  lines.insert(lines.end(), records.begin(), records.end());
  lines.push_back("leave " + name);
  return lines;
}

Lines operator+(Lines a, const Lines& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

reduction::Result<reduction::Trace> ReadForeign(
    const Lines& lines, const std::vector<std::string>& alone = {}) {
  const std::string folder = TestFolder();
  const Lines other = InCall("MPI_Init");
  EXPECT_TRUE(WriteForeignArchive(folder, "set", {lines, other}, alone));
  return otf2::ReadArchive(folder, true);
}

constexpr const char* kLostReceives =
    "records of receives whose call is not certain";

TEST(Otf2, RegionsWithParenthesesAreCalls) {
  const auto trace =
      ReadForeign(InCall("MPI_Init()") + InCall("MPI_Send()", {"send 1 7 24"}) +
                  InCall("MPI_Comm_rank()") + InCall("MPI_Finalize()"));
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(Texts(*trace, 0),
            (Lines{"MPI_Init", "MPI_Send comm=0 peer=1 tag=7 bytes=24",
                   "MPI_Finalize"}));
  EXPECT_TRUE(trace->meta.not_recorded.empty());
}

TEST(Otf2, AReceiveRecordedInTheWaitIsThatOfTheOnlyOpenCall) {
  const Lines expected = {"MPI_Irecv comm=0 peer=1 tag=7 bytes=24",
                          "MPI_Wait n=1"};
  const Lines ways[] = {
      InCall("MPI_Irecv") + InCall("MPI_Wait", {"receive 1 7 24"}),
      InCall("MPI_Irecv") + InCall("MPI_Wait", {"received 1 7 24 3"}),
      InCall("MPI_Irecv") + Lines{"request 3"} +
          InCall("MPI_Wait", {"received 1 7 24 3"})};
  for (const Lines& way : ways) {
    const auto trace = ReadForeign(way);
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    EXPECT_EQ(Texts(*trace, 0), expected);
    EXPECT_FALSE(trace->meta.losses.contains(kLostReceives));
  }
}

TEST(Otf2, ARecordBehindItsCallIsItsOwn) {
  const auto trace = ReadForeign(InCall("MPI_Recv") + Lines{"receive 1 7 24"} +
                                 InCall("MPI_Send") + Lines{"send 1 8 32"} +
                                 InCall("MPI_Barrier"));
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(Texts(*trace, 0), (Lines{"MPI_Recv comm=0 peer=1 tag=7 bytes=24",
                                     "MPI_Send comm=0 peer=1 tag=8 bytes=32",
                                     "MPI_Barrier comm=0"}));
}

// Requests tell which is which whatever their order.
TEST(Otf2, ReceivesWithRequestsAreToldApart) {
  const auto trace = ReadForeign(
      InCall("MPI_Irecv", {"request 1"}) + InCall("MPI_Irecv", {"request 2"}) +
      InCall("MPI_Waitall", {"received 1 8 16 2", "received 1 7 24 1"}));
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(Texts(*trace, 0), (Lines{"MPI_Irecv comm=0 peer=1 tag=7 bytes=24",
                                     "MPI_Irecv comm=0 peer=1 tag=8 bytes=16",
                                     "MPI_Waitall n=2"}));
}

TEST(Otf2, RecordsThatMayBeOfSeveralCallsAreCounted) {
  const auto trace = ReadForeign(
      InCall("MPI_Irecv") + InCall("MPI_Irecv") +
      InCall("MPI_Waitall", {"receive 1 8 16", "receive 1 7 24"}) +
      InCall("MPI_Bcast", {"receive 1 9 8"}) + Lines{"send 1 7 24"});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const auto& losses = trace->meta.losses;
  ASSERT_TRUE(losses.contains(kLostReceives));
  EXPECT_EQ(losses.at(kLostReceives), 3u);
  EXPECT_EQ(losses.at("records of sends whose call is not certain"), 1u);
  EXPECT_EQ(Texts(*trace, 0)[2], "MPI_Waitall n=2");
}

// Nobody knows who is meant, so nobody is, least of all the world.
TEST(Otf2, RecordsOnCommunicatorsThatAreNotDefinedAreCounted) {
  const auto trace =
      ReadForeign(InCall("MPI_Send", {"send 1 7 24 on 5"}) +
                  InCall("MPI_Recv", {"receive 1 7 24 on 4294967295"}) +
                  InCall("MPI_Allreduce", {"sum 8 on 5"}) +
                  InCall("MPI_Allreduce", {"sum 8"}) + InCall("MPI_Comm_dup"));
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(Texts(*trace, 0),
            (Lines{"MPI_Send comm=none peer=none tag=7 bytes=24",
                   "MPI_Recv comm=none peer=none tag=7 bytes=24",
                   "MPI_Allreduce comm=none bytes=0",
                   "MPI_Allreduce comm=0 bytes=8", "MPI_Comm_dup comm=0 n=0"}));
  const auto& losses = trace->meta.losses;
  ASSERT_TRUE(losses.contains("records on communicators that are not defined"));
  EXPECT_EQ(losses.at("records on communicators that are not defined"), 3u);
  ASSERT_TRUE(losses.contains("parents of communicators without a record"));
  EXPECT_EQ(losses.at("parents of communicators without a record"), 1u);
}

TEST(Otf2, APersistentReceiveKeepsWhatItsStartsReceive) {
  Lines lines = InCall("MPI_Recv_init");
  for (const char* number : {"4", "5"}) {
    const std::string request = number;
    lines = lines + InCall("MPI_Start", {"request " + request}) +
            InCall("MPI_Wait", {"received 1 7 24 " + request});
  }
  const auto trace = ReadForeign(lines);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(Texts(*trace, 0)[0], "MPI_Recv_init comm=0 peer=1 tag=7 bytes=24");
  EXPECT_FALSE(trace->meta.losses.contains(kLostReceives));
}

// Not all tools write the name.
TEST(Otf2, TheOnlyCommunicatorOfOneThatNoCallMakesIsSelf) {
  const Lines calls = InCall("MPI_Allreduce", {"sum 4 on 1"}) +
                      InCall("MPI_Send", {"send 0 7 24 on 1"});
  const auto trace = ReadForeign(calls, {"some name"});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(Texts(*trace, 0), (Lines{"MPI_Allreduce comm=1 bytes=8",
                                     "MPI_Send comm=1 peer=0 tag=7 bytes=24"}));
  // It may be what this makes.
  const auto split = ReadForeign(InCall("MPI_Comm_split") + calls, {"a name"});
  ASSERT_TRUE(split.ok()) << split.status().message();
  EXPECT_EQ(Texts(*split, 0)[1], "MPI_Allreduce comm=2 bytes=8");
}

TEST(Otf2, EachCommunicatorOfOneMayHaveAGroupOfItsOwn) {
  const auto trace = ReadForeign(InCall("MPI_Comm_dup") +
                                     InCall("MPI_Allreduce", {"sum 4 on 1"}) +
                                     InCall("MPI_Allreduce", {"sum 4 on 2"}),
                                 {"MPI_COMM_SELF", "a copy of it"});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(Texts(*trace, 0),
            (Lines{"MPI_Comm_dup comm=0 n=1", "MPI_Allreduce comm=1 bytes=8",
                   "MPI_Allreduce comm=2 bytes=8"}));
}

// A replay could not make it.
TEST(Otf2, ACommunicatorThatNoCallMakesHasNoNumber) {
  const std::string loss = "calls on communicators that no call made";
  const Lines calls = InCall("MPI_Allreduce", {"sum 4 on 1"}) +
                      InCall("MPI_Allreduce", {"sum 4 on 2"}) +
                      InCall("MPI_Send", {"send 0 7 24 on 2"});
  const auto trace = ReadForeign(calls, {"MPI_COMM_SELF", "of a library"});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(
      Texts(*trace, 0),
      (Lines{"MPI_Allreduce comm=1 bytes=8", "MPI_Allreduce comm=none bytes=8",
             "MPI_Send comm=none peer=0 tag=7 bytes=24"}));
  ASSERT_TRUE(trace->meta.losses.contains(loss));
  EXPECT_EQ(trace->meta.losses.at(loss), 2u);
  const auto made = ReadForeign(InCall("MPI_Comm_dup") + calls,
                                {"MPI_COMM_SELF", "of a library"});
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(Texts(*made, 0)[2], "MPI_Allreduce comm=2 bytes=8");
  EXPECT_FALSE(made->meta.losses.contains(loss));
}

TEST(Otf2, AFolderStandsForTheOneAnchorInIt) {
  const std::string folder = TestFolder();
  EXPECT_EQ(otf2::AnchorOf(folder).status().code(), reduction::StatusCode::kIo);
  const ForeignLines lines = {InCall("MPI_Init"), InCall("MPI_Init")};
  ASSERT_TRUE(WriteForeignArchive(folder, "my.set", lines));
  EXPECT_EQ(*otf2::AnchorOf(folder), folder + "/my.set.otf2");
  EXPECT_TRUE(FindAdapter("otf2")->read(folder, {}).ok());
  ASSERT_TRUE(WriteForeignArchive(folder, "other", lines));
  const auto two = otf2::AnchorOf(folder);
  EXPECT_EQ(two.status().code(), reduction::StatusCode::kUsage);
  EXPECT_NE(two.status().message().find("2 files"), std::string::npos);
  EXPECT_EQ(*otf2::AnchorOf(folder + "/other.otf2"), folder + "/other.otf2");
}

// Sums over all members, by hand, and back.
TEST(Otf2, CollectivesAreRecordedAsSumsOverTheirMembers) {
  struct Case {
    Call call;
    bool in_place;
    int64_t bytes, rbytes, place, sent, received;
  };
  constexpr int64_t kMembers = 5, kRoot = 3;
  const Case cases[] = {
      {Call::MPI_Bcast_, false, 6, 0, 3, 30, 6},
      {Call::MPI_Bcast_, false, 6, 0, 1, 0, 6},
      {Call::MPI_Reduce_, false, 6, 0, 3, 6, 30},
      {Call::MPI_Reduce_, true, 6, 0, 3, 0, 24},
      {Call::MPI_Reduce_, false, 6, 0, 1, 6, 0},
      {Call::MPI_Gather_, false, 6, 6, 3, 6, 30},
      {Call::MPI_Scatter_, false, 6, 6, 3, 30, 6},
      {Call::MPI_Allreduce_, false, 6, 0, 1, 30, 30},
      {Call::MPI_Allreduce_, true, 6, 0, 1, 24, 24},
      {Call::MPI_Iallreduce_, false, 6, 0, 1, 30, 30},
      {Call::MPI_Allgather_, false, 6, 6, 1, 30, 30},
      {Call::MPI_Alltoall_, false, 6, 7, 1, 30, 35},
      {Call::MPI_Reduce_scatter_block_, false, 6, 0, 1, 30, 30},
      {Call::MPI_Scan_, false, 6, 0, 1, 24, 12},
      {Call::MPI_Scan_, true, 7, 0, 1, 21, 7},
      {Call::MPI_Exscan_, false, 6, 0, 1, 18, 6},
  };
  for (const Case& c : cases) {
    Values values = {{Param::kCount, {c.bytes}},
                     {Param::kTypeSize, {1}},
                     {Param::kRecvCount, {c.rbytes}},
                     {Param::kRecvTypeSize, {1}},
                     {Param::kInPlace, {c.in_place}}};
    const auto event = MakeEvent(c.call, 0, values);
    const auto record =
        otf2::RecordedSizes(event, kMembers, c.place, c.place == kRoot);
    const std::string name = CanonicalText(event);
    EXPECT_EQ(record.sent, c.sent) << name;
    EXPECT_EQ(record.received, c.received) << name;
    const auto back = otf2::SizesOfCall(c.call, record, kMembers);
    EXPECT_EQ(back.sent, c.bytes) << name;
    if (c.rbytes == 0) continue;
    EXPECT_EQ(back.received, c.rbytes) << name;
  }
}

// Processor time that no reader reaches that comes to an end, however slow.
constexpr uint64_t kAmpleSeconds = 600;

// What reading apart comes to when the reader ends so.
std::string ReasonOf(const std::function<void()>& read,
                     uint64_t cpu_seconds = kAmpleSeconds) {
  const otf2::ApartLimits limits = {.cpu_seconds = cpu_seconds,
                                    .memory_bytes = uint64_t{1} << 28};
  const auto trace =
      otf2::ReadApart(limits, [&]() -> reduction::Result<reduction::Trace> {
        read();
        return reduction::Status::No("came to its end");
      });
  EXPECT_FALSE(trace.ok());
  return trace.status().message();
}

TEST(Otf2Apart, SaysWhatTheReaderSays) {
  EXPECT_EQ(ReasonOf([] {}), "came to its end");
  const reduction::Trace made = RingTrace(4, 3);
  const auto read = otf2::ReadApart(
      otf2::LimitsFor(0),
      [&]() -> reduction::Result<reduction::Trace> { return made; });
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(*read, made);
}

TEST(Otf2Apart, OutlivesAReaderThatDies) {
  const std::string start = "0: not a readable OTF2 archive: ";
  EXPECT_EQ(ReasonOf([] { ::raise(SIGKILL); }),
            start + "its library fails on it: Killed");
  EXPECT_EQ(ReasonOf([] { ::raise(SIGABRT); }),
            start + "its library fails on it: Aborted");
  EXPECT_EQ(ReasonOf([] { ::_exit(0); }), start + "reading it failed");
}

TEST(Otf2Apart, EndsAReaderThatReadsOnForEver) {
  const auto read_on = [] {
    while (::getppid() != 0) {
    }
  };
  EXPECT_EQ(ReasonOf(read_on, 1),
            "0: not a readable OTF2 archive: reading it never ends");
}

TEST(Otf2Apart, EndsAReaderThatTakesAllMemory) {
  EXPECT_EQ(ReasonOf([] {
              std::vector<std::string> held;
              for (;;) held.emplace_back(1 << 24, 'x');
            }),
            "0: not a readable OTF2 archive: reading it takes too much memory");
}

}  // namespace
}  // namespace ranksight::adapters
