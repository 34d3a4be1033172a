#include "cli/look/timeline_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::cli {
namespace {

using nlohmann::json;
using reduction::Script;
using reduction::Trace;

Trace Ring() {
  constexpr int64_t kRanks = 4;
  return reduction::MakeSample(kRanks,
                               [](int64_t rank, Script* script) {
                                 script->Init();
                                 for (int step = 0; step < 9; ++step) {
                                   script->Sendrecv(
                                       3, (rank + 1) % kRanks, 8 + step,
                                       (rank + kRanks - 1) % kRanks, 8 + step);
                                   script->Send(4, reduction::kPeerNull, 1);
                                 }
                                 script->Finalize();
                               })
      .trace;
}

TEST(TimelineReport, NamesEachCallAndTextOnce) {
  const Trace trace = Ring();
  const auto timeline = TimelineOf(trace);
  const auto text = TimelineJson(trace);
  ASSERT_TRUE(timeline.ok() && text.ok());
  const json report = json::parse(*text);
  EXPECT_EQ(report["ranks"], 4);
  EXPECT_EQ(report["call"], "MPI_Sendrecv");
  EXPECT_EQ(report["site"], "app+0x3");
  EXPECT_EQ(report["calls"].size(), 2u);
  ASSERT_EQ(report["lanes"].size(), timeline->lanes.size());
  for (size_t i = 0; i < timeline->lanes.size(); ++i) {
    const reduction::TimelineLane& lane = timeline->lanes[i];
    const json& said = report["lanes"][i];
    EXPECT_EQ(said["pace"], NameOf(lane.pace));
    EXPECT_EQ(said["rank"], lane.rank);
    EXPECT_EQ(said["iteration"], lane.iteration);
    EXPECT_EQ(said["iterations"], lane.iterations);
    ASSERT_EQ(said["events"].size(), lane.events.size());
    for (size_t j = 0; j < lane.events.size(); ++j) {
      const reduction::TimelineEvent& event = lane.events[j];
      const json& one = said["events"][j];
      EXPECT_EQ(report["calls"][size_t(one[0])]["call"],
                Info(event.node->call).name);
      EXPECT_EQ(report["texts"][size_t(one[1])], event.text);
      EXPECT_EQ(one[2], std::llround(event.compute_ns));
      EXPECT_EQ(one[3], std::llround(event.call_ns));
    }
  }
}

TEST(TimelineReport, IsATableForEachRank) {
  const Trace trace = Ring();
  const auto timeline = TimelineOf(trace);
  ASSERT_TRUE(timeline.ok());
  SiteNames names(trace.sites, {});
  const std::string text = TimelineText(trace, *timeline, &names);
  EXPECT_EQ(
      text.rfind("one iteration of the loop that begins with MPI_Sendrecv "
                 "at app+0x3: ",
                 0),
      0u)
      << text;
  EXPECT_NE(text.find("slowest: rank 0, iteration 5 of 9\n"), text.npos)
      << text;
  EXPECT_NE(text.find("fastest: rank 3, iteration 5 of 9\n"), text.npos)
      << text;
}

}  // namespace
}  // namespace ranksight::cli
