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

#include "reduction/api/codec.h"
#include "reduction/api/wire.h"
#include "tests/unit/online_model/synthetic_run.h"

namespace ranksight::online_model {
namespace {

namespace fs = std::filesystem;
using reduction::FrameKind;
using reduction::StatusCode;
using reduction::WireFrame;

constexpr int kPatienceMs = 20000;

std::vector<uint8_t> Encoded(const std::string& job, int64_t ranks) {
  testing::SyntheticRun run;
  run.job = job;
  run.ranks = ranks;
  run.events.push_back({reduction::Call::MPI_Barrier_, 16, 40 / double(ranks),
                        0.01 * double(ranks), 10});
  return reduction::Encode(testing::MakeTrace(run),
                           reduction::SketchForm::kQuantiles);
}

// A client as simple as the protocol allows.
class Client {
 public:
  explicit Client(const std::string& endpoint) {
    context_ = zmq_ctx_new();
    socket_ = zmq_socket(context_, ZMQ_DEALER);
    const int linger = 0, patience = kPatienceMs;
    zmq_setsockopt(socket_, ZMQ_LINGER, &linger, sizeof(linger));
    zmq_setsockopt(socket_, ZMQ_RCVTIMEO, &patience, sizeof(patience));
    zmq_setsockopt(socket_, ZMQ_SNDTIMEO, &patience, sizeof(patience));
    EXPECT_EQ(zmq_connect(socket_, endpoint.c_str()), 0);
  }
  ~Client() {
    zmq_close(socket_);
    zmq_ctx_term(context_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void SendBytes(const std::vector<uint8_t>& bytes, int flags = 0) {
    EXPECT_GE(zmq_send(socket_, bytes.data(), bytes.size(), flags), 0);
  }
  WireFrame Receive() {
    std::vector<uint8_t> bytes(65536);
    const int n = zmq_recv(socket_, bytes.data(), bytes.size(), 0);
    EXPECT_GE(n, 0) << "no reply";
    bytes.resize(size_t(std::max(n, 0)));
    auto frame = reduction::DecodeFrame(bytes);
    EXPECT_TRUE(frame.ok());
    return frame.ok() ? *frame : WireFrame();
  }
  WireFrame Ask(const WireFrame& frame) {
    SendBytes(reduction::EncodeFrame(frame));
    return Receive();
  }
  WireFrame Hello(const std::string& job, int64_t ranks) {
    WireFrame f;
    f.kind = FrameKind::kHello;
    f.job = job;
    f.program = "app";
    f.build_id = "b1";
    f.ranks = ranks;
    return Ask(f);
  }
  WireFrame Segment(uint64_t number, std::vector<uint8_t> payload) {
    WireFrame f;
    f.kind = FrameKind::kSegment;
    f.sequence = number;
    f.payload = std::move(payload);
    return Ask(f);
  }
  WireFrame End(uint64_t segments) {
    WireFrame f;
    f.kind = FrameKind::kEnd;
    f.sequence = segments;
    return Ask(f);
  }
  // The last reply, to the end.
  WireFrame SendRun(const std::string& job, int64_t ranks, size_t part = 100) {
    const auto bytes = Encoded(job, ranks);
    EXPECT_EQ(Hello(job, ranks).kind, FrameKind::kWelcome);
    uint64_t segments = 0;
    for (size_t at = 0; at < bytes.size(); at += part) {
      const size_t end = std::min(bytes.size(), at + part);
      const WireFrame ack = Segment(
          ++segments, {bytes.begin() + long(at), bytes.begin() + long(end)});
      EXPECT_EQ(ack.kind, FrameKind::kAck);
      EXPECT_EQ(ack.sequence, segments);
    }
    const WireFrame last = End(segments);
    if (last.kind == FrameKind::kAck) {
      EXPECT_EQ(last.sequence, segments + 1);
    }
    return last;
  }

 private:
  void* context_;
  void* socket_;
};

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
    Client client(server->endpoint());
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
    Client client(server->endpoint());
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
    Client client(server->endpoint());
    EXPECT_EQ(client.SendRun("same", 4).kind, FrameKind::kAck);
  }
  EXPECT_EQ(server->runs_stored(), 1u);
  auto forecast = server->ForecastFor("app", {});
  ASSERT_TRUE(forecast.ok());
  EXPECT_EQ(forecast->repetitions, std::vector<uint64_t>{1});
}

TEST_F(ServerTest, DuplicatesAndGapsDoNotHarmTheRun) {
  auto server = Start();
  Client client(server->endpoint());
  const auto bytes = Encoded("j", 4);
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
  Client good(server->endpoint()), bad(server->endpoint());
  const auto bytes = Encoded("good", 4);
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
  Client client(server->endpoint());
  client.Hello("j", 4);
  EXPECT_EQ(client.Segment(1, {1, 2, 3}).sequence, 1u);
  EXPECT_EQ(client.End(1).kind, FrameKind::kRefuse);
  EXPECT_EQ(server->runs_stored(), 0u);
}

TEST_F(ServerTest, AClientThatVanishesLeavesRoomForTheNext) {
  auto server = Start();
  for (int i = 0; i < 20; ++i) {
    Client client(server->endpoint());
    client.Hello("same", 4);
    client.Segment(1, {1, 2, 3});
  }
  Client client(server->endpoint());
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
    Client client(server->endpoint());
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
