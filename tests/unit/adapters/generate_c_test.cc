#include <gtest/gtest.h>

#include "adapters/api/generate.h"
#include "reduction/api/call.h"
#include "tests/unit/adapters/sample.h"

namespace ranksight::adapters {
namespace {

using reduction::Call;
using reduction::Param;

TEST(GenerateC, TheRingReadsAsAPersonWouldWriteIt) {
  const std::string folder = TestFolder();
  const auto made = GenerateC(RingTrace(4, 3), {}, folder);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(made->calls, 7u);
  ExpectGolden("ring.c.txt", ReadText(folder + "/ring.c"));
  ExpectGolden("ring_tables.h.txt", ReadText(folder + "/ring_tables.h"));
}

TEST(GenerateC, LinesDoNotGrowWithRanksOrSteps) {
  const auto small = GenerateC(RingTrace(4, 3), {}, TestFolder());
  const auto large = GenerateC(RingTrace(64, 300), {}, TestFolder());
  ASSERT_TRUE(small.ok() && large.ok());
  EXPECT_EQ(small->body_lines, large->body_lines);
}

TEST(GenerateC, FactorsBecomeTheProgramsDefaults) {
  const std::string folder = TestFolder();
  GenerateOptions options;
  options.compute_scale = 0.5;
  options.bytes_scale = 2;
  options.compute_scales[3] = 0.25;
  ASSERT_TRUE(GenerateC(RingTrace(4, 3), options, folder).ok());
  const std::string program = ReadText(folder + "/ring.c");
  EXPECT_NE(program.find("#define COMPUTE_SCALE 0.5\n"), std::string::npos);
  EXPECT_NE(program.find("#define BYTES_SCALE 2\n"), std::string::npos);
  const std::string tables = ReadText(folder + "/ring_tables.h");
  const size_t at = tables.find("/* 3 */");
  ASSERT_NE(at, std::string::npos);
  const std::string line = tables.substr(at, tables.find('\n', at) - at);
  EXPECT_NE(line.find("}, 0.25, 0}"), std::string::npos) << line;
}

TEST(GenerateC, APartialTraceIsRefused) {
  auto trace = RingTrace(2, 1);
  trace.meta.complete = false;
  const auto made = GenerateC(trace, {}, TestFolder());
  EXPECT_EQ(made.status().code(), reduction::StatusCode::kNo);
}

TEST(GenerateC, ACountThatNoIntHoldsIsRefused) {
  auto events = RingEvents(0, 1, 1);
  events.insert(events.begin() + 2,
                MakeEvent(Call::MPI_Send_, 20,
                          {{Param::kCount, {int64_t{1} << 31}},
                           {Param::kTypeSize, {1}}}));
  const auto made = GenerateC(MakeTrace({events}), {}, TestFolder());
  EXPECT_EQ(made.status().code(), reduction::StatusCode::kNo);
  EXPECT_EQ(made.status().message(), "MPI_Send has a count above 2^31 - 1");
}

TEST(GenerateC, AFolderThatIsNotThereIsAnError) {
  const auto made = GenerateC(RingTrace(2, 1), {}, "/nowhere/at/all");
  EXPECT_EQ(made.status().code(), reduction::StatusCode::kIo);
}

}  // namespace
}  // namespace ranksight::adapters
