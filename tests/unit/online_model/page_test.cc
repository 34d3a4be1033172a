#include "online_model/api/page.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "online_model/api/server.h"
#include "tests/unit/online_model/page_fixture.h"
#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

using nlohmann::json;
using testing::kPageSeconds;
using testing::PageTest;
using testing::WireClient;

TEST_F(PageTest, TellsTheForecastOfWhatWasStored) {
  Start();
  SendRuns();
  const json state = Get("/api/state");
  ASSERT_EQ(state["groups"].size(), 1u);
  EXPECT_EQ(state["groups"][0]["program"], "app");
  EXPECT_EQ(state["counters"]["runs_stored"], 4);
  EXPECT_EQ(state["live"].size(), 4u);
  EXPECT_EQ(state["live"][0]["state"], "stored");
  EXPECT_EQ(state["live"][0]["user"], UserName(::geteuid()));
  const std::string id = state["groups"][0]["id"];
  const json forecast = Get("/api/forecast?ranks=100&group=" + id);
  EXPECT_NEAR(forecast["points"][0]["seconds"], 0.4 + 1, 0.05);
  EXPECT_EQ(forecast["sizes"].size(), 4u);
  EXPECT_EQ(forecast["sites"][0]["call"], "MPI_Barrier");
  EXPECT_GT(Get("/api/forecast?group=" + id)["points"].size(), 10u);
  EXPECT_EQ(Get("/api/runs")["runs"].size(), 4u);
}

TEST_F(PageTest, AnswersWhatTheCallerMakesOfARun) {
  const auto says = [](const std::string& what) {
    return [what](const reduction::Trace& trace) {
      return json{{what, trace.meta.ranks}}.dump();
    };
  };
  options_.extras.timeline = says("timeline");
  options_.extras.load = says("load");
  Start();
  SendRuns();
  EXPECT_EQ(Get("/api/timeline?job=j9")["timeline"], 9);
  EXPECT_EQ(Get("/api/load?job=j16")["load"], 16);
  const httplib::Headers token = {{"Authorization", "Bearer " + page_.token}};
  EXPECT_EQ(Code("/api/load?job=none", token), 404);
  EXPECT_EQ(Code("/api/load?job=j16", {}), 401);
  EXPECT_EQ(Code("/api/matrix?job=j16", token), 404);
}

TEST_F(PageTest, ListsEachProgramWithItsVerdictAndItsLastRun) {
  Start();
  SendRuns();
  testing::SyntheticRun other;
  other.job = "o1";
  other.program = "other";
  other.ranks = 2;
  other.events.push_back({reduction::Call::MPI_Barrier_, 16, 0.5, 0.25, 10});
  WireClient client(server_->endpoint());
  client.Hello(other.job, other.ranks);
  client.Segment(1, reduction::Encode(testing::MakeTrace(other),
                                      reduction::SketchForm::kQuantiles));
  ASSERT_EQ(client.End(1).kind, reduction::FrameKind::kAck);
  const json list = Get("/api/overview");
  ASSERT_EQ(list["programs"].size(), 2u);
  EXPECT_EQ(list["programs"][0]["program"], "other");
  EXPECT_EQ(list["programs"][0]["sizes"], json::parse("[[2,0.75]]"));
  EXPECT_EQ(list["programs"][0]["last_job"], "o1");
  EXPECT_EQ(list["programs"][0]["last_from"], UserName(::geteuid()));
  const json& app = list["programs"][1];
  EXPECT_EQ(app["runs"], 4);
  EXPECT_EQ(app["last_job"], "j25");
  EXPECT_EQ(app["last_ranks"], 25);
  EXPECT_EQ(app["sizes"].size(), 4u);
  EXPECT_GT(app["points"].size(), 4u);
  EXPECT_TRUE(app["by_laws"]);
  EXPECT_EQ(Get("/api/runs?group=" + std::string(app["id"]))["runs"].size(),
            4u);
}

TEST_F(PageTest, ListsWhatTheProgramsOwnPageSaysOnceThatIsWalked) {
  Start();
  SendRuns();
  const json before = Get("/api/overview");
  const std::string since =
      "/api/overview?since=" + std::string(before["stamp"]);
  EXPECT_EQ(AskPage(page_, since, kPageSeconds).value(), "");
  EXPECT_TRUE(server_->WaitForWalks(0)) << "the list alone makes no walks";
  const std::string id = before["programs"][0]["id"];
  Get("/api/forecast?group=" + id);
  ASSERT_TRUE(server_->WaitForWalks(testing::kPatienceMs));
  const json forecast = Get("/api/forecast?group=" + id);
  const json after = Get(since);
  EXPECT_EQ(after["programs"][0]["verdict"], forecast["verdict"]["text"]);
  std::vector<std::pair<int64_t, double>> points;
  for (const json& point : forecast["points"]) {
    if (!point["refused"])
      points.emplace_back(point["ranks"], point["seconds"]);
  }
  EXPECT_EQ(after["programs"][0]["points"], json(points));
}

TEST_F(PageTest, TellsEachRunThatWasStoredOrRefusedNewestFirst) {
  options_.quotas.program_bytes = 2000;
  Start();
  const auto send = [this](const std::string& job, int64_t ranks) {
    WireClient client(server_->endpoint());
    return client.SendRun(job, ranks).kind;
  };
  int64_t ranks = 4;
  while (send("j" + std::to_string(ranks), ranks) !=
         reduction::FrameKind::kRefuse) {
    ranks *= 2;
  }
  ASSERT_GT(ranks, 4);
  const json notices = Get("/api/state")["notices"];
  ASSERT_GE(notices.size(), 2u);
  EXPECT_EQ(notices[0]["ranks"], ranks);
  EXPECT_EQ(notices[0]["program"], "app");
  EXPECT_EQ(notices[0]["user"], UserName(::geteuid()));
  EXPECT_NE(notices[0]["refused"].get<std::string>().find("full"),
            std::string::npos);
  EXPECT_EQ(notices[1]["ranks"], ranks / 2);
  EXPECT_EQ(notices[1]["refused"], "");
  EXPECT_TRUE(notices[0]["text"].get<std::string>().starts_with(
      "refused app on " + std::to_string(ranks) + " ranks from " +
      UserName(::geteuid()) + ": "))
      << notices[0]["text"];
  EXPECT_EQ(notices[1]["text"], "stored app on " + std::to_string(ranks / 2) +
                                    " ranks from " + UserName(::geteuid()));
}

TEST_F(PageTest, SaysNothingWhenNothingIsNew) {
  Start();
  const json before = Get("/api/state");
  const std::string since =
      "/api/state?since=" + std::to_string(uint64_t(before["version"]));
  const auto nothing = AskPage(page_, since, kPageSeconds);
  ASSERT_TRUE(nothing.ok());
  EXPECT_EQ(*nothing, "");
  WireClient client(server_->endpoint());
  client.Hello("j", 4);
  client.Segment(1, {1, 2, 3});
  // The segment is acknowledged before the page is told of it.
  json after = Get(since);
  while (after.is_discarded()) after = Get(since);
  EXPECT_EQ(after["live"][0]["segments"], 1);
  EXPECT_EQ(after["live"][0]["bytes"], 3);
}

TEST_F(PageTest, ShowsWhatIsExpectedOfARunUnderWay) {
  Start();
  SendRuns();
  WireClient client(server_->endpoint());
  client.SendHalf("half", 64);
  const std::string id = Get("/api/state")["groups"][0]["id"];
  json run;
  while (run.is_null()) {
    const json forecast = Get("/api/forecast?ranks=100&group=" + id);
    if (!forecast["under_way"].empty()) run = forecast["under_way"][0];
  }
  EXPECT_EQ(run["job"], "half");
  EXPECT_NEAR(run["seconds"], 40.0 / 64 + 0.64, 0.02);
  EXPECT_NEAR(run["share_seen"], 0.5, 0.02);
  const auto metrics = AskPage(page_, "/metrics", kPageSeconds);
  ASSERT_TRUE(metrics.ok());
  EXPECT_NE(metrics->find("ranksight_under_way_seconds{program=\"app\""),
            std::string::npos);
  EXPECT_EQ(metrics->find("job="), std::string::npos) << *metrics;
  const json state = Get("/api/state");
  for (const json& live : state["live"]) {
    EXPECT_EQ(live["epochs"], live["job"] == "half" ? 1 : 0);
  }
}

TEST_F(PageTest, AnswersWrongQuestionsWithTheReason) {
  Start();
  SendRuns();
  for (const char* path :
       {"/api/forecast?group=none&ranks=4", "/api/matrix?job=none",
        "/api/laws?group=none", "/api/runs?group=none",
        "/api/matrix?group=none&ranks=4", "/api/matrix?group=x&ranks=",
        "/api/matrix?group=x&ranks=4,9", "/api/forecast?group=x&ranks=4,,9",
        "/api/forecast?group=x&ranks=-1", "/api/none"}) {
    EXPECT_FALSE(AskPage(page_, path, kPageSeconds).ok()) << path;
  }
}

TEST(CurveRanks, GoOnWithThePatternOfTheSizesMeasured) {
  const auto all = [](const std::vector<int64_t>& measured, auto fits) {
    const std::vector<int64_t> ranks = CurveRanks(measured);
    EXPECT_GT(ranks.size(), 5u);
    EXPECT_TRUE(std::is_sorted(ranks.begin(), ranks.end()));
    EXPECT_LE(ranks.back(), 64 * measured.back());
    EXPECT_GE(ranks.back(), 32 * measured.back());
    for (const int64_t n : ranks) EXPECT_TRUE(fits(n)) << n;
    for (const int64_t n : measured) {
      EXPECT_TRUE(std::binary_search(ranks.begin(), ranks.end(), n)) << n;
    }
  };
  all({4, 8, 16}, [](int64_t n) { return (n & (n - 1)) == 0; });
  all({4, 9, 16, 25}, [](int64_t n) {
    const int64_t root = std::llround(std::sqrt(double(n)));
    return root * root == n;
  });
  all({8, 27, 64}, [](int64_t n) {
    const int64_t root = std::llround(std::cbrt(double(n)));
    return root * root * root == n;
  });
  all({12, 24, 36}, [](int64_t n) { return n % 12 == 0; });
  all({3, 5, 7}, [](int64_t n) { return n > 0; });
  EXPECT_TRUE(CurveRanks({}).empty());
}

TEST(Report, IsOneFileWithItsDataAndNoWayOut) {
  std::string html = ReportHtml(
      {"<!--<script>", R"({"program":"</script><b>","points":[]})", "", ""});
  // Names of XML, which nobody asks for.
  const std::string names = "http://www.w3.org/";
  for (size_t at; (at = html.find(names)) != std::string::npos;) {
    html.erase(at, names.size());
  }
  EXPECT_NE(html.find("window.ranksightReport"), std::string::npos);
  EXPECT_EQ(html.find("</script><b>"), std::string::npos);
  EXPECT_EQ(html.find("<!--<script>"), std::string::npos);
  for (const char* outside : {"src=\"", "href=\"", "http://", "https://"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
}

}  // namespace
}  // namespace ranksight::online_model
