#include "cli/look/page_extras.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// Runs on 3, 4, 5 and 6 ranks.
template <typename Fill>
json LawsOf(const Fill& fill) {
  std::vector<reduction::Trace> runs;
  for (const int64_t ranks : {3, 4, 5, 6}) {
    runs.push_back(MakeSample(ranks, [&](int64_t rank, Script* script) {
                     script->Init();
                     fill(ranks, rank, script);
                     script->Finalize();
                   }).trace);
  }
  const auto text = LawsJson(runs);
  EXPECT_TRUE(text.ok()) << text.status().message();
  return text.ok() ? json::parse(*text) : json();
}

TEST(PageLaws, AreNotRefusedWhereTheyGiveAll) {
  const json laws = LawsOf([](int64_t ranks, int64_t rank, Script* script) {
    script->Send(10, (rank + 1) % ranks, 3);
    script->Recv(11, (rank + ranks - 1) % ranks, 3);
  });
  EXPECT_FALSE(laws.contains("refused")) << laws;
  EXPECT_FALSE(laws.contains("not_estimated")) << laws;
}

// Each run has calls that no other has, and none ends.
TEST(PageLaws, SayWhyNothingIsEstimatedEither) {
  const json laws = LawsOf([](int64_t ranks, int64_t rank, Script* script) {
    for (int64_t i = 0; i < 3; ++i) {
      script->Recv(uint32_t(10 * ranks + i), (rank + 1) % ranks, ranks * i);
    }
  });
  ASSERT_TRUE(laws.contains("refused")) << laws;
  EXPECT_FALSE(laws.contains("laws")) << laws;
  ASSERT_TRUE(laws.contains("not_estimated")) << laws;
  EXPECT_NE(laws["not_estimated"], "") << laws;
  EXPECT_EQ(laws["not_estimated"].get<std::string>().find("; not"),
            std::string::npos);
}

// The page says of a call that no law and no estimate names that it is not
// known.
TEST(PageLaws, NameEachCallAlsoWhereLargerRunsAloneHaveIt) {
  for (const int64_t from : {1, 4, 5, 6}) {
    const json laws = LawsOf([&](int64_t ranks, int64_t rank, Script* script) {
      script->Send(10, (rank + 1) % ranks, 3);
      script->Recv(11, (rank + ranks - 1) % ranks, 3);
      if (ranks >= from) script->Add(Call::MPI_Barrier_, 12, {});
    });
    EXPECT_EQ(laws.contains("refused"), from > 1) << laws;
    for (const char* call : {"MPI_Send at app+0xa: ", "MPI_Recv at app+0xb: ",
                             "MPI_Barrier at app+0xc: "}) {
      EXPECT_TRUE(
          std::ranges::any_of(laws["laws"],
                              [&](const json& law) {
                                return law.get<std::string>().starts_with(call);
                              }))
          << call << laws;
    }
    EXPECT_EQ(laws["estimates"].size(), from > 1 ? 1u : 0u) << laws;
  }
}

}  // namespace
}  // namespace ranksight::cli
