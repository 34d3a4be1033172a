// Which calls become messages in other formats, and of what they receive.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "adapters/api/adapter.h"
#include "tests/unit/adapters/sample.h"
#ifdef RANKSIGHT_HAVE_OTF2
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

}  // namespace
}  // namespace ranksight::adapters
