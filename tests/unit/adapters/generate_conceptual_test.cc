#include <gtest/gtest.h>

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
  GenerateOptions options;
  options.compute_scale = 5;
  options.compute_scales[1] = 10;
  options.bytes_scale = 2;
  ASSERT_TRUE(GenerateConceptual(RingTrace(4, 3), options, folder).ok());
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
