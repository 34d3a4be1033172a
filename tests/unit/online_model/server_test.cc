// What a side-car says of the runs it has, and of those under way.
#include "online_model/api/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "online_model/api/joined.h"
#include "reduction/api/codec.h"
#include "tests/unit/online_model/server_fixture.h"
#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

using reduction::FrameKind;
using reduction::StatusCode;

using testing::kPatienceMs;
using testing::WireClient;

TEST_F(ServerTest, ForecastsFromRunsThatArriveOverTheSocket) {
  std::atomic<int> told{0};
  options_.on_run = [&](const RunRecord& run) { told += run.ranks >= 4; };
  auto server = Start();
  for (int64_t ranks : {4, 9, 16, 25}) {
    WireClient client(server->endpoint());
    EXPECT_EQ(client.SendRun("j" + std::to_string(ranks), ranks).kind,
              FrameKind::kAck);
  }
  EXPECT_TRUE(server->WaitForRuns(4, kPatienceMs));
  EXPECT_EQ(server->runs_stored(), 4u);
  EXPECT_EQ(told, 4);
  const std::vector<int64_t> asked = {100};
  auto forecast = server->ForecastFor("app", asked);
  ASSERT_TRUE(forecast.ok()) << forecast.status().message();
  ASSERT_FALSE(forecast->points[0].refused) << forecast->points[0].reason;
  EXPECT_NEAR(forecast->points[0].seconds, 0.4 + 1, 0.05);
  EXPECT_EQ(server->ForecastFor("none", asked).status().code(),
            StatusCode::kNo);
}

TEST_F(ServerTest, ShowsWhatForecastPrints) {
  auto server = Start();
  std::vector<reduction::Trace> runs;
  Forecaster laws;
  for (int64_t ranks : {4, 9, 16, 25}) {
    WireClient client(server->endpoint());
    const std::string job = "j" + std::to_string(ranks);
    client.SendRun(job, ranks);
    runs.push_back(*reduction::Decode(testing::EncodedRun(job, ranks)));
    EXPECT_TRUE(laws.AddRun(runs.back()).ok());
  }
  const std::vector<int64_t> asked = {36, 100};
  // Laws alone ask for no walk.
  const auto added_up = server->LawsFor("app", asked);
  ASSERT_TRUE(added_up.ok());
  // As `forecast` does; nothing is known but where calls stand.
  const auto shown = [&runs](Forecast f) {
    SetNames(runs.back().sites, {}, &f);
    SetSpreads(runs.back(), &f);
    return ToJson(f);
  };
  EXPECT_EQ(ToJson(*added_up), shown(laws.At(asked)));
  EXPECT_TRUE(server->WaitForWalks(0));
  const auto first = server->ForecastFor("app", asked);
  ASSERT_TRUE(first.ok());
  EXPECT_TRUE(first->walking);
  EXPECT_GT(first->walks.all, 0);
  EXPECT_LT(first->walks.walked, first->walks.all);
  ASSERT_TRUE(server->WaitForWalks(kPatienceMs));
  const uint64_t version = server->version();
  const auto walked = server->ForecastFor("app", asked);
  ASSERT_TRUE(walked.ok());
  EXPECT_FALSE(walked->walking);
  EXPECT_EQ(ToJson(*walked), shown(JoinedForecast(laws, runs, asked)));
  EXPECT_EQ(walked->points[1].basis.rfind("walked", 0), 0u);
  // Another run: what was walked before it is not shown any more.
  WireClient client(server->endpoint());
  client.SendRun("j36", 36);
  EXPECT_TRUE(server->ForecastFor("app", asked)->walking);
  EXPECT_GT(server->version(), version);
}

// Half of a run of the given ranks, until the server has looked at it.
RunUnderWay UnderWayAfterHalf(Server* server, WireClient* client,
                              const std::string& job, int64_t ranks) {
  client->SendHalf(job, ranks);
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
  while (std::chrono::steady_clock::now() < end) {
    const auto forecast = server->ForecastFor("app", {});
    if (forecast.ok() && !forecast->under_way.empty()) {
      return forecast->under_way[0];
    }
    std::this_thread::yield();
  }
  return {};
}

TEST_F(ServerTest, ForecastsFromWhatARunHasSentBeforeItsEnd) {
  auto server = Start();
  for (int64_t ranks : {4, 9, 16}) {
    WireClient client(server->endpoint());
    client.SendRun("j" + std::to_string(ranks), ranks);
  }
  WireClient client(server->endpoint());
  const RunUnderWay run = UnderWayAfterHalf(server.get(), &client, "j25", 25);
  ASSERT_TRUE(run.used) << run.reason;
  EXPECT_EQ(run.job, "j25");
  EXPECT_NEAR(run.share_seen, 0.5, 0.01);
  EXPECT_NEAR(run.seconds, 40.0 / 25 + 0.25, 0.01);
  EXPECT_EQ(server->runs_stored(), 3u);
  // The whole run comes over another connection and takes its place.
  WireClient whole(server->endpoint());
  EXPECT_EQ(whole.SendRun("j25", 25).kind, FrameKind::kAck);
  const auto forecast = server->ForecastFor("app", {});
  ASSERT_TRUE(forecast.ok());
  EXPECT_TRUE(forecast->under_way.empty());
  EXPECT_EQ(forecast->measured, (std::vector<int64_t>{4, 9, 16, 25}));
  EXPECT_EQ(server->Live().size(), 4u);
  EXPECT_EQ(server->Runs()->size(), 4u);
}

TEST_F(ServerTest, AnEpochThatIsNoTraceOrOfAnotherRunIsLeftOut) {
  auto server = Start();
  for (int64_t ranks : {4, 9, 16}) {
    WireClient client(server->endpoint());
    client.SendRun("j" + std::to_string(ranks), ranks);
  }
  WireClient client(server->endpoint());
  client.Hello("j25", 25);
  for (const auto& bytes :
       {std::vector<uint8_t>{1, 2, 3}, testing::EncodedRun("other", 25, false),
        testing::EncodedRun("j25", 36, false)}) {
    const uint64_t refused = server->counters().frames_refused;
    EXPECT_EQ(client.Segment(1, bytes).sequence, 1u);
    EXPECT_EQ(client.Epoch(1).sequence, 2u);
    while (server->counters().frames_refused == refused) {
      std::this_thread::yield();
    }
  }
  EXPECT_TRUE(server->ForecastFor("app", {})->under_way.empty());
  EXPECT_TRUE(UnderWayAfterHalf(server.get(), &client, "j25", 25).used);
}

}  // namespace
}  // namespace ranksight::online_model
