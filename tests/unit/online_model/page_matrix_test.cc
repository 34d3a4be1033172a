// Who talks to whom, as the page asks for it.
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "online_model/api/server.h"
#include "tests/unit/online_model/page_fixture.h"
#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

using nlohmann::json;
using testing::PageTest;
using testing::WireClient;

TEST_F(PageTest, FindsAMatrixByLawsOnceUntilThereIsAnotherRun) {
  std::vector<std::vector<int64_t>> searched;
  options_.extras.matrix = [](const reduction::Trace&) {
    return reduction::Result<std::string>(std::string("{}"));
  };
  options_.extras.matrix_at = [&](const auto& traces, int64_t ranks) {
    searched.push_back({ranks});
    for (const auto& trace : traces) {
      searched.back().push_back(trace.meta.ranks);
    }
    return reduction::Result<std::string>(std::string("{}"));
  };
  Start();
  SendRuns();
  const std::string group = Get("/api/state")["groups"][0]["id"];
  const auto ask = [&](int64_t ranks) {
    Get("/api/matrix?group=" + group + "&ranks=" + std::to_string(ranks));
  };
  for (const int64_t ranks : {64, 100, 64, 100}) ask(ranks);
  EXPECT_EQ(searched, (std::vector<std::vector<int64_t>>{{64, 4, 9, 16, 25},
                                                         {100, 4, 9, 16, 25}}));
  WireClient(server_->endpoint()).SendRun("j36", 36);
  ASSERT_TRUE(server_->WaitForRuns(5, testing::kPatienceMs));
  ask(64);
  EXPECT_EQ(searched.back(), (std::vector<int64_t>{64, 4, 9, 16, 25, 36}));
}

TEST_F(PageTest, SearchesNoMatrixThatWasMeasuredNorWaitsForASearch) {
  std::atomic<bool> is_searching = false, is_over = false;
  options_.extras.matrix = [](const reduction::Trace& trace) {
    return reduction::Result<std::string>(
        json{{"measured", trace.meta.ranks}}.dump());
  };
  options_.extras.matrix_at = [&](const auto&, int64_t) {
    is_searching = true;
    is_searching.notify_all();
    is_over.wait(false);
    return reduction::Result<std::string>(std::string("{\"made\": 64}"));
  };
  Start();
  SendRuns();
  const std::string group = Get("/api/state")["groups"][0]["id"];
  const std::string at = "/api/matrix?group=" + group + "&ranks=";
  json made;
  std::thread other([&] { made = Get(at + "64"); });
  is_searching.wait(false);
  EXPECT_EQ(Get(at + "16")["measured"], 16);
  is_over = true;
  is_over.notify_all();
  other.join();
  EXPECT_EQ(made["made"], 64);
}

TEST_F(PageTest, SaysWhyThereIsNoMatrixAtARankCount) {
  options_.extras.matrix = [](const reduction::Trace&) {
    return reduction::Result<std::string>(std::string("{}"));
  };
  options_.extras.matrix_at = [](const auto&, int64_t) {
    return reduction::Result<std::string>(reduction::Status::No("no law"));
  };
  Start();
  SendRuns();
  const std::string group = Get("/api/state")["groups"][0]["id"];
  EXPECT_EQ(Get("/api/matrix?group=" + group + "&ranks=64")["refused"],
            "no law");
}

}  // namespace
}  // namespace ranksight::online_model
