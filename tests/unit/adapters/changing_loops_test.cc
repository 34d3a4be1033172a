// Loops whose calls have other values from round to round, few of them often
// and many of them never again: what converters keep of an event for the next
// one like it must not be taken for another's.
#include <gtest/gtest.h>

#include <sstream>

#include "adapters/api/adapter.h"
#include "reduction/api/call.h"
#include "tests/unit/adapters/sample.h"

namespace ranksight::adapters {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;

constexpr int kRounds = 700;

// What changes: of the messages, each time a round is over.
int64_t TagOf(int round, int period) { return 7 * (round % period); }
int64_t CountOf(int round, int period) { return 100 + round % period; }
// Another period, and never what the messages have.
int64_t RootCountOf(int round) { return 1 + round % 5; }

std::vector<Event> EventsOf(int64_t rank, int period) {
  const int64_t real = reduction::TypeCodeByName("MPI_DOUBLE");
  std::vector<Event> events = {MakeEvent(Call::MPI_Init_, 1, {})};
  for (int round = 0; round < kRounds; ++round) {
    const Values message = {{Param::kTypeKind, {real}},
                            {Param::kTypeSize, {8}},
                            {Param::kCount, {CountOf(round, period)}},
                            {Param::kPeer, {1 - rank}},
                            {Param::kTag, {TagOf(round, period)}}};
    events.push_back(MakeEvent(Call::MPI_Irecv_, 2, message));
    events.push_back(MakeEvent(Call::MPI_Isend_, 3, message));
    events.push_back(MakeEvent(Call::MPI_Ibarrier_, 4, {}));
    events.push_back(MakeEvent(Call::MPI_Waitall_, 5,
                               {{Param::kRequestCount, {3}},
                                {Param::kOpenCount, {3}},
                                {Param::kRequests, {3, 2, 1}}}));
    events.push_back(MakeEvent(Call::MPI_Bcast_, 6,
                               {{Param::kTypeKind, {real}},
                                {Param::kTypeSize, {8}},
                                {Param::kCount, {RootCountOf(round)}},
                                {Param::kRoot, {1}}}));
  }
  events.push_back(MakeEvent(Call::MPI_Finalize_, 7, {}));
  return events;
}

void Convert(int period, const std::string& format, const std::string& out) {
  const reduction::Trace trace =
      MakeTrace({EventsOf(0, period), EventsOf(1, period)});
  Conversion done;
  const auto status = FindAdapter(format)->write({&trace, 1}, out, &done);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(done.events, 2u * (5 * kRounds + 2));
}

// DUMPI as its description has it: big-endian, each call with its times of two
// clocks.
class DumpiRecords {
 public:
  DumpiRecords& Call(int number) {
    const int64_t start = calls_ == 0 ? 0 : 1500 * calls_ - 500;
    const int64_t stop = calls_ == 0 ? 0 : start + 500;
    ++calls_;
    Number(number, 2).Number(12, 1);
    for (int clock = 0; clock < 2; ++clock) {
      Number(0, 2).Number(start, 4).Number(0, 2).Number(stop, 4);
    }
    return *this;
  }
  DumpiRecords& Number(int64_t v, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) bytes_ += char(v >> (8 * i));
    return *this;
  }
  DumpiRecords& Ints(const std::vector<int64_t>& values) {
    for (const int64_t v : values) Number(v, 4);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  int64_t calls_ = 0;
};

std::string ExpectedOfRankZero(int period) {
  constexpr int kDouble = 14, kWorld = 2, kPeer = 1;
  DumpiRecords records;
  records.Call(124).Ints({0});
  int64_t request = 2;
  for (int round = 0; round < kRounds; ++round) {
    for (const int call : {12, 8}) {  // MPI_Irecv, MPI_Isend
      records.Call(call)
          .Ints({CountOf(round, period)})
          .Number(kDouble, 2)
          .Ints({kPeer, TagOf(round, period)})
          .Number(kWorld, 2)
          .Ints({request++});
    }
    records.Call(52).Number(kWorld, 2);
    ++request;  // the barrier's, which blocks here
    records.Call(18).Ints({2, 2, request - 3, request - 2});
    records.Call(53)
        .Ints({RootCountOf(round)})
        .Number(kDouble, 2)
        .Ints({kPeer})
        .Number(kWorld, 2);
  }
  return records.Call(125).Number(293, 2).bytes();
}

// The messages of rank 0 in GOAL, one a line, without those that stand for
// collectives, whose tags are larger than any here.
std::string MessagesOfRankZero(const std::string& goal) {
  std::istringstream lines(goal.substr(0, goal.find("rank 1 {")));
  std::string messages;
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find(": "), tag = line.find(" tag ");
    if (tag == line.npos || std::stoi(line.substr(tag + 5)) >= 10000) continue;
    messages += line.substr(at + 2) + "\n";
  }
  return messages;
}

std::string ExpectedMessages(int period) {
  std::string messages;
  for (int round = 0; round < kRounds; ++round) {
    const std::string bytes = std::to_string(8 * CountOf(round, period));
    const std::string tag = std::to_string(TagOf(round, period));
    messages += "recv " + bytes + "b from 1 tag " + tag + "\n";
    messages += "send " + bytes + "b to 1 tag " + tag + "\n";
  }
  return messages;
}

class ChangingLoops : public ::testing::TestWithParam<int> {};

TEST_P(ChangingLoops, DumpiHasEachRoundsOwnValues) {
  const std::string out = TestFolder();
  Convert(GetParam(), "dumpi", out);
  const std::string made = ReadText(out + "/dumpi-ring-0000.bin").substr(16);
  const std::string expected = ExpectedOfRankZero(GetParam());
  EXPECT_TRUE(made.starts_with(expected));
}

TEST_P(ChangingLoops, GoalHasEachRoundsOwnValues) {
  const std::string out = TestFolder() + "/ring.goal";
  Convert(GetParam(), "goal", out);
  EXPECT_EQ(MessagesOfRankZero(ReadText(out)), ExpectedMessages(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Periods, ChangingLoops,
                         ::testing::Values(1, 2, 3, 16, 17, kRounds));

}  // namespace
}  // namespace ranksight::adapters
