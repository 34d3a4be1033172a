#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "adapters/api/generate.h"
#include "reduction/api/call.h"
#include "reduction/api/folder.h"
#include "tests/unit/adapters/sample.h"

namespace ranksight::adapters {
namespace {

using reduction::Call;
using reduction::Param;

TEST(GenerateConceptual, TheRingReadsAsAPersonWouldWriteIt) {
  const std::string folder = TestFolder();
  const auto made = GenerateConceptual(RingTrace(4, 3), {}, folder);
  ASSERT_TRUE(made.ok()) << made.status().message();
  ExpectGolden("ring.ncptl.txt", ReadText(folder + "/ring.ncptl"));
}

TEST(GenerateConceptual, LinesDoNotGrowWithRanksOrSteps) {
  const auto small = GenerateConceptual(RingTrace(16, 30), {}, TestFolder());
  const auto large = GenerateConceptual(RingTrace(64, 300), {}, TestFolder());
  ASSERT_TRUE(small.ok() && large.ok());
  EXPECT_EQ(small->body_lines, large->body_lines);
}

TEST(GenerateConceptual, FactorsScaleComputationAndBytes) {
  const std::string folder = TestFolder();
  const reduction::Trace ring = RingTrace(4, 3);
  GenerateOptions options;
  options.compute_scale = 5;
  options.site_scale = ScaleAtCall(ring, 1, 10);
  options.bytes_scale = 2;
  ASSERT_TRUE(GenerateConceptual(ring, options, folder).ok());
  const std::string program = ReadText(folder + "/ring.ncptl");
  EXPECT_NE(program.find("COMPUTE FOR 5 MICROSECONDS"), std::string::npos);
  EXPECT_NE(program.find("COMPUTE FOR 50 MICROSECONDS"), std::string::npos);
  EXPECT_NE(program.find("A 1600 BYTE"), std::string::npos);
}

// One barrier is reached from another and from itself.
TEST(GenerateConceptual, ComputationDependsOnTheCallBefore) {
  reduction::Folder folder;
  const uint32_t module = folder.AddModule({"abc", "ring"});
  const auto push = [&](uint32_t site, uint64_t compute_ns,
                        Call call = Call::MPI_Barrier_) {
    reduction::Event event = MakeEvent(call, 0, {});
    event.site = folder.AddSite({{{module, 16 * site}}});
    folder.Push(event, compute_ns, 500);
  };
  push(3, 0, Call::MPI_Init_);
  for (int step = 0; step < 50; ++step) {
    push(1, 3000);
    push(2, 7000);
    push(2, 9000);
  }
  push(4, 0, Call::MPI_Finalize_);
  reduction::Trace trace = folder.Snapshot(0, 1);
  trace.meta.program = "ring";
  const std::string made = TestFolder();
  ASSERT_TRUE(GenerateConceptual(trace, {}, made).ok());
  const std::string program = ReadText(made + "/ring.ncptl");
  EXPECT_NE(program.find("COMPUTE FOR 3 MICROSECONDS"), std::string::npos);
  EXPECT_NE(program.find("FOR EACH i1 IN {0, ..., 1}"), std::string::npos);
  EXPECT_NE(program.find("COMPUTE FOR (7 IF i1 < 1 OTHERWISE 9) MICROSECONDS"),
            std::string::npos)
      << program;
}

// The ring of two ranks with calls in front of it that make requests and free
// them; whether its own messages are waited for where the program did.
bool WaitsAfter(
    const std::function<std::vector<reduction::Event>(int64_t other)>& calls) {
  std::vector<std::vector<reduction::Event>> events;
  for (int64_t rank = 0; rank < 2; ++rank) {
    events.push_back(RingEvents(rank, 2, 3));
    const auto first = calls(1 - rank);
    events.back().insert(events.back().begin() + 2, first.begin(), first.end());
  }
  const std::string folder = TestFolder();
  const auto made = GenerateConceptual(MakeTrace(events), {}, folder);
  EXPECT_TRUE(made.ok()) << made.status().message();
  const std::string program = ReadText(folder + "/ring.ncptl");
  return program.find("AWAIT COMPLETION") < program.find("REDUCE");
}

reduction::Event OnRequest(Call call, uint32_t site, int64_t reference) {
  return MakeEvent(
      call, site,
      {{Param::kRequestCount, {1}}, {Param::kRequests, {reference}}});
}

TEST(GenerateConceptual, AFreedRequestForNoMessageEndsNoWaiting) {
  EXPECT_TRUE(WaitsAfter([](int64_t) {
    return std::vector{MakeEvent(Call::MPI_Isend_, 20,
                                 {{Param::kPeer, {reduction::kPeerNull}}}),
                       OnRequest(Call::MPI_Request_free_, 21, 1)};
  }));
}

// Persistent ones are, too, but only when they are under way.
TEST(GenerateConceptual, AFreedRequestIsNotWaitedFor) {
  EXPECT_TRUE(WaitsAfter([](int64_t other) {
    const Values to = {
        {Param::kPeer, {other}}, {Param::kCount, {1}}, {Param::kTypeSize, {1}}};
    return std::vector{MakeEvent(Call::MPI_Isend_, 20, to),
                       OnRequest(Call::MPI_Request_free_, 21, 1),
                       MakeEvent(Call::MPI_Send_init_, 22, to),
                       OnRequest(Call::MPI_Start_, 23, -1),
                       OnRequest(Call::MPI_Request_free_, 24, -1),
                       MakeEvent(Call::MPI_Send_init_, 25, to),
                       OnRequest(Call::MPI_Request_free_, 26, -2),
                       MakeEvent(Call::MPI_Recv_, 27, to),
                       MakeEvent(Call::MPI_Recv_, 28, to)};
  }));
}

TEST(GenerateConceptual, OneSidedCallsAreRefused) {
  auto events = RingEvents(0, 1, 1);
  events.insert(events.begin() + 2, MakeEvent(Call::MPI_Win_fence_, 20, {}));
  const auto made = GenerateConceptual(MakeTrace({events}), {}, TestFolder());
  EXPECT_EQ(made.status().code(), reduction::StatusCode::kNo);
  EXPECT_EQ(made.status().message(), "MPI_Win_fence has no form in coNCePTuaL");
}

TEST(GenerateConceptual, AReceiveFromAnySourceNeedsItsMatch) {
  auto events = RingEvents(0, 1, 1);
  events.insert(
      events.begin() + 2,
      MakeEvent(Call::MPI_Recv_, 20, {{Param::kPeer, {reduction::kPeerAny}}}));
  const auto made = GenerateConceptual(MakeTrace({events}), {}, TestFolder());
  EXPECT_EQ(made.status().code(), reduction::StatusCode::kNo);
}

}  // namespace
}  // namespace ranksight::adapters
