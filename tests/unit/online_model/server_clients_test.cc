// A side-car and its clients: those that send twice, damage, stall, flood or
// vanish, its own end at any moment, and where it listens.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include "reduction/api/codec.h"
#include "tests/unit/online_model/server_fixture.h"
#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

namespace fs = std::filesystem;
using reduction::FrameKind;
using reduction::StatusCode;
using reduction::WireFrame;

using testing::WireClient;

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
  EXPECT_LE(lines_, MostLines());
}

// Client and server take turns on one core, so that the next frame is there
// whenever the server looks: ZeroMQ's picture of who took which reply is then
// older than the replies.
TEST_F(ServerTest, EveryFrameOfAQuickClientIsAnswered) {
  cpu_set_t before, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof(one), &one), 0);
  auto server = Start();
  WireClient client(server->endpoint());
  for (int i = 0; i < 15000; ++i) {
    client.SendBytes({1, 2, 3});
    ASSERT_EQ(client.Receive().kind, FrameKind::kRefuse) << "frame " << i;
  }
  EXPECT_EQ(::sched_setaffinity(0, sizeof(before), &before), 0);
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

TEST_F(ServerTest, ARunBeyondTheQuotaIsRefusedWithTheReason) {
  options_.quotas.all_bytes = 100;
  auto server = Start();
  WireClient client(server->endpoint());
  const WireFrame reply = client.SendRun("j", 4);
  EXPECT_EQ(reply.kind, FrameKind::kRefuse);
  EXPECT_NE(reply.reason.find("full"), std::string::npos) << reply.reason;
  EXPECT_EQ(server->runs_stored(), 0u);
  EXPECT_EQ(server->counters().runs_refused, 1u);
}

// One client sends garbage as fast as it can and never reads an answer,
// others say hello and fall silent: a run beside them is stored as ever.
TEST_F(ServerTest, HostileAndStalledClientsHoldUpNobody) {
  auto server = Start();
  const std::string endpoint = server->endpoint();
  std::atomic<bool> stop{false};
  std::thread flood([&] {
    void* context = zmq_ctx_new();
    void* socket = zmq_socket(context, ZMQ_DEALER);
    const int linger = 0, patience = 50;
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof(linger));
    zmq_setsockopt(socket, ZMQ_SNDTIMEO, &patience, sizeof(patience));
    zmq_connect(socket, endpoint.c_str());
    const std::vector<uint8_t> garbage(64 << 10, 0xab);
    while (!stop) (void)zmq_send(socket, garbage.data(), garbage.size(), 0);
    zmq_close(socket);
    zmq_ctx_term(context);
  });
  std::vector<std::unique_ptr<WireClient>> stalled;
  for (int i = 0; i < 20; ++i) {
    stalled.push_back(std::make_unique<WireClient>(endpoint));
    stalled.back()->Hello("stalled" + std::to_string(i), 4);
    stalled.back()->Segment(1, {1, 2, 3});
  }
  for (int i = 0; i < 10; ++i) {
    WireClient client(endpoint);
    EXPECT_EQ(client.SendRun("good" + std::to_string(i), 4).kind,
              FrameKind::kAck);
  }
  stop = true;
  flood.join();
  EXPECT_EQ(server->runs_stored(), 10u);
  EXPECT_LE(lines_, MostLines());
}

// Of a side-car that is killed.
class ServerProcess {
 public:
  explicit ServerProcess(const ServerOptions& options) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    child_ = ::fork();
    EXPECT_GE(child_, 0);
    if (child_ == 0) {
      auto server = Server::Start(options);
      const char byte = server.ok() ? 1 : 0;
      (void)!::write(ready[1], &byte, 1);
      for (;;) ::pause();
    }
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_EQ(byte, 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }
  void Kill() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_;
};

// kill -9 while runs arrive, at whatever the side-car is doing when so many
// were acknowledged: what was acknowledged is there afterwards, readable, once.
TEST_F(ServerTest, KilledAtRandomItLosesNoAcknowledgedRun) {
  std::mt19937 random(7);
  options_.listen = "ipc://" + directory_ + "/socket";
  options_.log = nullptr;
  std::set<std::string> acknowledged;
  int next = 0;
  for (int round = 0; round < 8; ++round) {
    ServerProcess server(options_);
    const size_t enough = acknowledged.size() + 1 + random() % 20;
    std::atomic<bool> killed{false}, now{false};
    std::thread killer([&] {
      while (!now) std::this_thread::yield();
      server.Kill();
      killed = true;
    });
    // Nothing answers once the side-car is gone. A machine on which answers
    // take longer is given longer.
    for (int patience_ms = 200; !killed; patience_ms *= 2) {
      WireClient client(options_.listen, {}, patience_ms);
      for (;;) {
        const std::string job = "j" + std::to_string(next++);
        if (!client.TrySendRun(job, 4)) break;
        acknowledged.insert(job);
        now = now || acknowledged.size() >= enough;
      }
    }
    killer.join();
  }
  auto store = Store::Open(options_.store_directory);
  ASSERT_TRUE(store.ok());
  const auto runs = store->List();
  ASSERT_TRUE(runs.ok());
  std::multiset<std::string> stored;
  for (const RunRecord& run : *runs) {
    stored.insert(run.job);
    EXPECT_TRUE(store->Load(run).ok()) << run.job;
  }
  for (const std::string& job : acknowledged) {
    EXPECT_EQ(stored.count(job), 1u) << job;
  }
  EXPECT_EQ(std::set<std::string>(stored.begin(), stored.end()).size(),
            stored.size());
  EXPECT_GE(acknowledged.size(), 8u);
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
    ServerOptions other = options_;
    other.store_directory = directory_ + "/other";
    auto second = Server::Start(other);
    EXPECT_EQ(second.status().code(), StatusCode::kIo);
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
