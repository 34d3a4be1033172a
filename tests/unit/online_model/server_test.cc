#include "online_model/api/server.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zmq.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>

#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

namespace fs = std::filesystem;
using reduction::FrameKind;
using reduction::StatusCode;
using reduction::WireFrame;

using testing::kPatienceMs;
using testing::WireClient;

class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "serve-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
    options_.listen = "tcp://127.0.0.1:*";
    options_.store_directory = directory_ + "/store";
    options_.log = [this](const std::string&) { ++lines_; };
  }
  void TearDown() override { fs::remove_all(directory_); }
  std::unique_ptr<Server> Start() {
    auto server = Server::Start(options_);
    EXPECT_TRUE(server.ok()) << server.status().message();
    return server.ok() ? std::move(server).value() : nullptr;
  }

  std::string directory_;
  ServerOptions options_;
  std::atomic<int> lines_{0};
};

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

TEST_F(ServerTest, KnowsItsRunsAgainAfterARestart) {
  {
    auto server = Start();
    WireClient client(server->endpoint());
    for (int64_t ranks : {4, 9, 16}) {
      client.SendRun("j" + std::to_string(ranks), ranks);
    }
    server->Stop();
    server->Stop();
  }
  auto server = Start();
  EXPECT_EQ(server->runs_stored(), 0u);
  const std::vector<int64_t> asked = {36};
  auto forecast = server->ForecastFor("app", asked);
  ASSERT_TRUE(forecast.ok());
  EXPECT_EQ(forecast->measured, (std::vector<int64_t>{4, 9, 16}));
}

TEST_F(ServerTest, AJobSentTwiceCountsOnce) {
  auto server = Start();
  for (int i = 0; i < 2; ++i) {
    WireClient client(server->endpoint());
    EXPECT_EQ(client.SendRun("same", 4).kind, FrameKind::kAck);
  }
  EXPECT_EQ(server->runs_stored(), 1u);
  auto forecast = server->ForecastFor("app", {});
  ASSERT_TRUE(forecast.ok());
  EXPECT_EQ(forecast->repetitions, std::vector<uint64_t>{1});
}

TEST_F(ServerTest, DuplicatesAndGapsDoNotHarmTheRun) {
  auto server = Start();
  WireClient client(server->endpoint());
  const auto bytes = testing::EncodedRun("j", 4);
  const std::vector<uint8_t> a(bytes.begin(), bytes.begin() + 50);
  const std::vector<uint8_t> b(bytes.begin() + 50, bytes.end());
  client.Hello("j", 4);
  EXPECT_EQ(client.Segment(2, b).sequence, 0u);
  EXPECT_EQ(client.Segment(1, a).sequence, 1u);
  EXPECT_EQ(client.Segment(1, a).sequence, 1u);
  EXPECT_EQ(client.End(2).sequence, 1u);
  EXPECT_EQ(client.Segment(2, b).sequence, 2u);
  EXPECT_EQ(client.End(2).sequence, 3u);
  EXPECT_EQ(client.End(2).sequence, 3u);
  EXPECT_EQ(server->runs_stored(), 1u);
}

TEST_F(ServerTest, DamagedFramesDisturbNobodyElse) {
  auto server = Start();
  WireClient good(server->endpoint()), bad(server->endpoint());
  const auto bytes = testing::EncodedRun("good", 4);
  ASSERT_EQ(good.Hello("good", 4).kind, FrameKind::kWelcome);
  EXPECT_EQ(bad.Hello("bad", 4).kind, FrameKind::kWelcome);
  std::mt19937 random(1);
  WireFrame segment;
  segment.kind = FrameKind::kSegment;
  segment.sequence = 1;
  segment.payload = {1, 2, 3, 4, 5};
  for (int i = 0; i < 200; ++i) {
    std::vector<uint8_t> frame = reduction::EncodeFrame(segment);
    if (i % 3 == 0) frame.resize(random() % frame.size());
    if (!frame.empty()) frame[random() % frame.size()] ^= 1 << (random() % 8);
    bad.SendBytes(frame);
    EXPECT_EQ(bad.Receive().kind, FrameKind::kRefuse);
  }
  bad.SendBytes({1, 2, 3}, ZMQ_SNDMORE);
  bad.SendBytes({4});
  EXPECT_EQ(bad.Receive().kind, FrameKind::kRefuse);
  EXPECT_EQ(good.Segment(1, bytes).sequence, 1u);
  EXPECT_EQ(good.End(1).sequence, 2u);
  EXPECT_EQ(server->runs_stored(), 1u);
  EXPECT_GT(lines_, 0);
  EXPECT_LT(lines_, 200);
}

TEST_F(ServerTest, ARunThatIsNoTraceIsRefusedAndNotStored) {
  auto server = Start();
  WireClient client(server->endpoint());
  client.Hello("j", 4);
  EXPECT_EQ(client.Segment(1, {1, 2, 3}).sequence, 1u);
  EXPECT_EQ(client.End(1).kind, FrameKind::kRefuse);
  EXPECT_EQ(server->runs_stored(), 0u);
}

TEST_F(ServerTest, AClientThatVanishesLeavesRoomForTheNext) {
  auto server = Start();
  for (int i = 0; i < 20; ++i) {
    WireClient client(server->endpoint());
    client.Hello("same", 4);
    client.Segment(1, {1, 2, 3});
  }
  WireClient client(server->endpoint());
  EXPECT_EQ(client.SendRun("same", 4).kind, FrameKind::kAck);
}

TEST_F(ServerTest, ASocketFileIsPrivateAndGoneAfterTheServer) {
  const std::string path = directory_ + "/door/serve.sock";
  options_.listen = "ipc://" + path;
  {
    auto server = Start();
    ASSERT_NE(server, nullptr);
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    ASSERT_EQ(::stat((directory_ + "/door").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    WireClient client(server->endpoint());
    EXPECT_EQ(client.SendRun("j", 4).kind, FrameKind::kAck);
    auto second = Server::Start(options_);
    EXPECT_EQ(second.status().code(), StatusCode::kUsage);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ServerTest, RefusesToListenElsewhereThanOnLoopback) {
  options_.listen = "tcp://0.0.0.0:5570";
  auto server = Server::Start(options_);
  ASSERT_FALSE(server.ok());
  EXPECT_EQ(server.status().code(), StatusCode::kUsage);
  EXPECT_NE(server.status().message().find("keys"), std::string::npos);
}

}  // namespace
}  // namespace ranksight::online_model
