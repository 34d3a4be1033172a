#include "cli/look/load_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "reduction/api/rank_loads.h"
#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::cli {
namespace {

using nlohmann::json;
using reduction::MadeDims;
using reduction::Script;
using reduction::Trace;

constexpr int64_t kRanks = 6;

// Rank r sends r times.
Trace Sends() {
  return reduction::MakeSample(kRanks,
                               [](int64_t rank, Script* script) {
                                 script->Init();
                                 for (int64_t i = 0; i < rank; ++i)
                                   script->Send(3, 0, 8);
                                 script->Finalize();
                               })
      .trace;
}

TEST(LoadReport, LaysRanksOutByWhatTheTraceSays) {
  Trace trace = Sends();
  EXPECT_EQ(LayoutOf(trace).kind, RankLayout::Kind::kPlain);
  trace.meta.made_dims = {{{kRanks, {0, 0}, {3, 2}}, {4, {0, 0}, {2, 2}}}};
  EXPECT_EQ(LayoutOf(trace).kind, RankLayout::Kind::kGrid);
  EXPECT_EQ(LayoutOf(trace).sides, (std::vector<int64_t>{3, 2}));
  // One node says nothing that the grid would not.
  trace.meta.launch.tasks_per_node = "6";
  EXPECT_EQ(LayoutOf(trace).kind, RankLayout::Kind::kGrid);
  trace.meta.launch.tasks_per_node = "2(x2),1(x2)";
  EXPECT_EQ(LayoutOf(trace).kind, RankLayout::Kind::kHosts);
  EXPECT_EQ(LayoutOf(trace).sides, (std::vector<int64_t>{2, 2, 1, 1}));
}

TEST(LoadReport, BelievesNothingThatDoesNotHoldTheRanks) {
  Trace trace = Sends();
  for (const char* tasks : {"4(x2)", "2,3", "6(x", "-6,12", "", "0,5"}) {
    trace.meta.launch.tasks_per_node = tasks;
    EXPECT_EQ(LayoutOf(trace).kind, RankLayout::Kind::kPlain) << tasks;
  }
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{2, 2}, {-2, -3}, {int64_t{1} << 62, 4}, {}, {0}}) {
    trace.meta.made_dims = {{{kRanks, {}, dims}}};
    EXPECT_EQ(LayoutOf(trace).kind, RankLayout::Kind::kPlain);
  }
}

TEST(LoadReport, HasARowForEachRankInNanoseconds) {
  const Trace trace = Sends();
  const json report = json::parse(LoadJson(trace, kRanks));
  EXPECT_EQ(report["block"], 1);
  EXPECT_TRUE(report["has_calls"]);
  ASSERT_EQ(report["rows"].size(), size_t(kRanks));
  // Init is no part of the run; each other call has 10 ns before it. A send
  // takes 100 ns and the rank in the mean: the first one another mean than the
  // rest.
  for (int64_t rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(report["rows"][size_t(rank)][0], 10 * (rank + 1));
  }
}

TEST(LoadReport, GivesTheMeanOfABlock) {
  Trace trace = Sends();
  trace.meta.launch.tasks_per_node = "3(x2)";
  const json report = json::parse(LoadJson(trace, 2));
  EXPECT_EQ(report["block"], 3);
  EXPECT_EQ(report["layout"], "plain");
  EXPECT_EQ(report["rows"].size(), 2u);
  EXPECT_EQ(report["rows"][0][0], 20);
  EXPECT_EQ(report["rows"][1][0], 50);
  const json uneven = json::parse(LoadJson(trace, 5));
  EXPECT_EQ(uneven["block"], 2);
  EXPECT_EQ(uneven["rows"].size(), 3u);
}

TEST(LoadReport, PutsRanksOnANetworkThatIsKnownBetter) {
  Trace trace = Sends();
  trace.meta.launch.tasks_per_node = "3(x2)";
  const RankLayout on = {
      RankLayout::Kind::kNetwork, {4, 2}, {7, 6, 5, 4, 3, 2}};
  const json report = json::parse(LoadJson(trace, kRanks, on));
  EXPECT_EQ(report["layout"], "network");
  EXPECT_EQ(report["sides"], json::parse("[4,2]"));
  EXPECT_EQ(report["places"], json::parse("[7,6,5,4,3,2]"));
  // Blocks of ranks are nowhere.
  EXPECT_EQ(json::parse(LoadJson(trace, 2, on))["layout"], "plain");
}

TEST(LoadReport, SaysWhereEachRankIs) {
  Trace trace = Sends();
  trace.meta.made_dims = {{{kRanks, {0, 0}, {3, 2}}}};
  const std::string grid = LoadText(trace);
  EXPECT_NE(grid.find("   5          2,1"), grid.npos) << grid;
  trace.meta.launch.tasks_per_node = "4,2";
  trace.meta.own_time = true;
  const std::string nodes = LoadText(trace);
  EXPECT_NE(nodes.find("   4     1"), nodes.npos) << nodes;
  EXPECT_EQ(nodes.find("in calls  "), nodes.npos) << nodes;
}

}  // namespace
}  // namespace ranksight::cli
