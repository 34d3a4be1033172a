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

// What reading apart comes to when the reader ends so.
std::string ReasonOf(const std::function<void()>& read) {
  const auto trace =
      otf2::ReadApart({.cpu_seconds = 1, .memory_bytes = uint64_t{1} << 28},
                      [&]() -> reduction::Result<reduction::Trace> {
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
  EXPECT_EQ(ReasonOf(read_on),
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
