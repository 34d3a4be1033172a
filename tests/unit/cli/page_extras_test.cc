#include "cli/look/page_extras.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::cli {
namespace {

using nlohmann::json;
using reduction::Call;
using reduction::MakeSample;
using reduction::Param;
using reduction::Script;

void NeighborAlltoall(Script* script, uint32_t line, int64_t count) {
  script->Add(Call::MPI_Neighbor_alltoall_, line,
              {{Param::kCount, {count}},
               {Param::kTypeSize, {8}},
               {Param::kRecvCount, {count}},
               {Param::kRecvTypeSize, {8}}});
}

json MatrixOf(const reduction::Trace& trace) {
  const auto text = MatrixJson(trace);
  EXPECT_TRUE(text.ok()) << text.status().message();
  return text.ok() ? json::parse(*text) : json();
}

TEST(PageMatrix, NamesWhatIsExchangedWithoutMessages) {
  const auto sample = MakeSample(3, [](int64_t, Script* script) {
    script->Init();
    for (int i = 0; i < 4; ++i) NeighborAlltoall(script, 10, 5);
    script->Add(Call::MPI_Barrier_, 11, {});
    script->Alltoallv(12, {100, 100, 100});
    script->Finalize();
  });
  const json matrix = MatrixOf(sample.trace);
  EXPECT_EQ(matrix["cells"], json::array());
  // What gives most comes first; a barrier gives nothing.
  EXPECT_EQ(
      matrix["others"],
      json::parse(R"([["MPI_Alltoallv", 3], ["MPI_Neighbor_alltoall", 12]])"));
}

TEST(PageMatrix, HasMessagesInItsCellsAlone) {
  const auto sample = MakeSample(2, [](int64_t rank, Script* script) {
    if (rank == 0) script->Send(10, 1, 3);
    if (rank == 1) script->Recv(11, 0, 3);
    script->SendInit(12, 1 - rank, 2);
    script->Start(13, 0);
  });
  const json matrix = MatrixOf(sample.trace);
  EXPECT_EQ(matrix["others"], json::array());
  EXPECT_EQ(matrix["cells"][0], json({0, 1, 3 * 8 + 2 * 8, 2}));
}

}  // namespace
}  // namespace ranksight::cli
