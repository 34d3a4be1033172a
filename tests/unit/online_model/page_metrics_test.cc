// What Prometheus reads of the page.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "online_model/api/server.h"
#include "tests/unit/online_model/page_fixture.h"
#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

using nlohmann::json;
using testing::kPageSeconds;
using testing::PageTest;
using testing::WireClient;

TEST_F(PageTest, MetricsAreLinesOfPrometheusText) {
  Start();
  SendRuns();
  WireClient client(server_->endpoint());
  testing::SyntheticRun odd;
  odd.job = "odd";
  odd.program = "a\"\\\n\xff";
  odd.events.emplace_back();
  client.Hello(odd.job, odd.ranks);
  client.Segment(1, reduction::Encode(testing::MakeTrace(odd),
                                      reduction::SketchForm::kQuantiles));
  ASSERT_EQ(client.End(1).kind, reduction::FrameKind::kAck);
  const auto text = AskPage(page_, "/metrics", kPageSeconds);
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("\nranksight_runs_stored_total 5\n"), std::string::npos);
  EXPECT_NE(text->find("\nranksight_store_runs 5\n"), std::string::npos);
  EXPECT_NE(text->find("\nranksight_store_quota_bytes 17179869184\n"),
            std::string::npos);
  EXPECT_NE(text->find("program=\"a\\\"\\\\??\""), std::string::npos) << *text;
  EXPECT_NO_THROW((void)json(*text).dump()) << "not UTF-8";
  EXPECT_NE(text->find("ranksight_forecast_seconds{program=\"app\""),
            std::string::npos);
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("# ", 0) == 0) continue;
    const size_t blank = line.rfind(' ');
    ASSERT_NE(blank, std::string::npos) << line;
    EXPECT_EQ(line.rfind("ranksight_", 0), 0u) << line;
    EXPECT_NO_THROW((void)std::stod(line.substr(blank))) << line;
  }
}

TEST_F(PageTest, MetricsStaySmallHoweverManyProgramsThereAre) {
  Start();
  const std::string name(300, 'x');
  for (int i = 0; i < 60; ++i) {
    testing::SyntheticRun run;
    run.job = "j" + std::to_string(i);
    run.program = name + std::to_string(i);
    run.events.push_back({reduction::Call::MPI_Barrier_, 16, 0.5, 0.25, 10});
    WireClient client(server_->endpoint());
    client.Hello(run.job, run.ranks);
    client.Segment(1, reduction::Encode(testing::MakeTrace(run),
                                        reduction::SketchForm::kQuantiles));
    ASSERT_EQ(client.End(1).kind, reduction::FrameKind::kAck);
  }
  const auto text = AskPage(page_, "/metrics", kPageSeconds);
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("\nranksight_groups 60\n"), std::string::npos);
  size_t measured = 0;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    measured += line.rfind("ranksight_measured_seconds{", 0) == 0;
    EXPECT_LT(line.size(), 300u) << line;
  }
  EXPECT_EQ(measured, 50u);
}

}  // namespace
}  // namespace ranksight::online_model
