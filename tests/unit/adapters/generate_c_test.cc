#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "adapters/api/generate.h"
#include "reduction/api/call.h"
#include "reduction/api/exchanges.h"
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
  const reduction::Trace ring = RingTrace(4, 3);
  GenerateOptions options;
  options.compute_scale = 0.5;
  options.bytes_scale = 2;
  options.site_scale = ScaleAtCall(ring, 4, 0.25);
  ASSERT_TRUE(GenerateC(ring, options, folder).ok());
  const std::string program = ReadText(folder + "/ring.c");
  EXPECT_NE(program.find("#define COMPUTE_SCALE 0.5\n"), std::string::npos);
  EXPECT_NE(program.find("#define BYTES_SCALE 2\n"), std::string::npos);
  const std::string tables = ReadText(folder + "/ring_tables.h");
  const size_t at = tables.find("/* 3 */");
  ASSERT_NE(at, std::string::npos);
  const std::string line = tables.substr(at, tables.find('\n', at) - at);
  EXPECT_NE(line.find("}, 0.25, 0, 0, 0}"), std::string::npos) << line;
}

// Twice as many calls as said, in loops and one behind the other.
std::string SourceOfCalls(uint32_t calls, const std::string& folder) {
  std::vector<reduction::Event> events = {MakeEvent(Call::MPI_Init_, 1, {})};
  for (uint32_t round = 0; round < 3; ++round) {
    for (uint32_t i = 0; i < calls; ++i) {
      events.push_back(MakeEvent(Call::MPI_Barrier_, 10 + i, {}));
    }
  }
  for (uint32_t i = 0; i < calls; ++i) {
    events.push_back(MakeEvent(Call::MPI_Barrier_, 10 + calls + i, {}));
  }
  events.push_back(MakeEvent(Call::MPI_Finalize_, 2, {}));
  EXPECT_TRUE(GenerateC(MakeTrace({events}), {}, folder).ok());
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".c") return ReadText(file.path().string());
  }
  return "";
}

// Statements that call MPI: in all functions, and in that which has most.
struct Statements {
  size_t all = 0, most = 0;
};
Statements CountStatements(const std::string& program) {
  Statements found;
  size_t calls = 0;
  for (size_t at = 0; at < program.size(); ++at) {
    if (program.compare(at, 3, "\n}\n") == 0) calls = 0;
    if (program.compare(at, 5, "CALL(") != 0) continue;
    ++found.all;
    found.most = std::max(found.most, ++calls);
  }
  return found;
}

TEST(GenerateC, NoFunctionIsTooLongForACompiler) {
  const Statements found = CountStatements(SourceOfCalls(450, TestFolder()));
  EXPECT_EQ(found.all, 901u);  // with MPI_Finalize
  EXPECT_LE(found.most, 128u);
}

// Compilers take time for calls, hardly any for numbers.
TEST(GenerateC, CallsOfALongProgramAreRowsOfATable) {
  const std::string program = SourceOfCalls(5000, TestFolder());
  EXPECT_EQ(CountStatements(program).all, 2u);  // MPI_Barrier, MPI_Finalize
  for (const char* call : {"/* 0: ", "/* 4999: ", "/* 9999: ", "/* 10000: "}) {
    EXPECT_NE(program.find(call), std::string::npos) << call;
  }
}

TEST(GenerateC, ExchangesBecomeTheProgramsDefault) {
  const std::string folder = TestFolder();
  GenerateOptions options;
  ASSERT_TRUE(
      reduction::ReadExchanges("alltoall=p2p,bcast=p2p", &options.exchanges)
          .ok());
  ASSERT_TRUE(GenerateC(RingTrace(4, 3), options, folder).ok());
  EXPECT_NE(ReadText(folder + "/ring.c")
                .find("#define EXCHANGE \"bcast=p2p,alltoall=p2p\"\n"),
            std::string::npos);
}

// Laws that say what the trace's values are not: 1 for every trip count but
// those given by call, 0 for every parameter.
LawTexts LawsOf(const reduction::Node& root,
                const std::map<Call, std::string>& trips) {
  LawTexts laws;
  laws.shape = "lay_out_line()";
  const auto add = [&](const auto& self, const reduction::Node& node) -> void {
    for (const reduction::Node& child : node.children) {
      LawTexts::Node law;
      law.trips.value = child.is_event() ? "1" : "2";
      if (child.is_event() && trips.count(child.call) > 0) {
        law.trips.value = trips.at(child.call);
      }
      law.params.resize(child.params.size());
      for (LawText& param : law.params) param.value = "0";
      laws.nodes.push_back(law);
      self(self, child);
    }
  };
  add(add, root);
  return laws;
}

TEST(GenerateC, ALawOfTheRunCountsRunsWithinEachIteration) {
  std::vector<reduction::Event> events = {MakeEvent(Call::MPI_Init_, 1, {})};
  for (int i = 0; i < 2; ++i) {
    events.push_back(MakeEvent(Call::MPI_Barrier_, 2, {}));
    for (int k = 0; k < 3; ++k) {
      events.push_back(
          MakeEvent(Call::MPI_Bcast_, 3, {{Param::kTypeSize, {4}}}));
    }
  }
  events.push_back(MakeEvent(Call::MPI_Finalize_, 4, {}));
  const auto trace = MakeTrace({events});
  GenerateOptions options;
  options.laws = LawsOf(trace.root, {{Call::MPI_Bcast_, "3"}});
  const auto params = reduction::Info(Call::MPI_Bcast_).params;
  const auto count = std::find(params.begin(), params.end(), Param::kCount);
  for (LawTexts::Node& node : options.laws->nodes) {
    if (node.trips.value != "3") continue;
    LawText& law = node.params[size_t(count - params.begin())];
    law.value = "j == 0 ? 8 : k";
    law.of_run = true;
    law.loop = 0;
  }
  const std::string folder = TestFolder();
  ASSERT_TRUE(GenerateC(trace, options, folder).ok());
  const std::string program =
      ReadText(folder + "/" + trace.meta.program + ".c");
  EXPECT_NE(program.find("for (number i0 = 0, n0 = 2; i0 < n0; ++i0) {\n"
                         "    run_0 = 0;\n    run_1 = 0;\n"),
            std::string::npos)
      << program;
  EXPECT_NE(program.find("count_law_0(i0, n0, run_1++)"), std::string::npos)
      << program;
  EXPECT_NE(ReadText(folder + "/" + trace.meta.program + "_tables.h")
                .find("count_law_0(number k, number n, number j)"),
            std::string::npos);
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

TEST(GenerateC, TheRootsBufferHoldsWhatAllRanksGive) {
  const Values side = {
      {Param::kCount, {100}},
      {Param::kTypeKind, {reduction::TypeCodeByName("MPI_INT")}},
      {Param::kTypeSize, {4}},
      {Param::kRecvCount, {100}},
      {Param::kRecvTypeKind, {reduction::TypeCodeByName("MPI_INT")}},
      {Param::kRecvTypeSize, {4}}};
  const std::vector<reduction::Event> events = {
      MakeEvent(Call::MPI_Init_, 1, {}), MakeEvent(Call::MPI_Gather_, 2, side),
      MakeEvent(Call::MPI_Finalize_, 3, {})};
  const std::string folder = TestFolder();
  const auto made = GenerateC(MakeTrace({events, events, events}), {}, folder);
  ASSERT_TRUE(made.ok()) << made.status().message();
  const std::string program = ReadText(folder + "/" + made->files[0]);
  EXPECT_NE(program.find("start(argc, argv, 3, 1200, "), std::string::npos)
      << program;
}

TEST(GenerateC, AFolderThatIsNotThereIsAnError) {
  const auto made = GenerateC(RingTrace(2, 1), {}, "/nowhere/at/all");
  EXPECT_EQ(made.status().code(), reduction::StatusCode::kIo);
}

}  // namespace
}  // namespace ranksight::adapters
