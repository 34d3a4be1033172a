#include "online_model/api/server.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "online_model/api/joined.h"
#include "reduction/api/codec.h"
#include "tests/support/scratch_folder.h"
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
    options_.listen = "tcp://127.0.0.1:*";
    options_.store_directory = directory_ + "/store";
    options_.log = [this](const LogEvent&) { ++lines_; };
  }
  // Of its log, of which a second has 20 lines.
  int MostLines() const {
    const auto went_by = std::chrono::steady_clock::now() - began_;
    return 20 * int(1 + went_by / std::chrono::seconds(1));
  }
  std::unique_ptr<Server> Start() {
    auto server = Server::Start(options_);
    EXPECT_TRUE(server.ok()) << server.status().message();
    return server.ok() ? std::move(server).value() : nullptr;
  }

  const support::ScratchFolder folder_;
  const std::string& directory_ = folder_.path();
  ServerOptions options_;
  std::atomic<int> lines_{0};
  const std::chrono::steady_clock::time_point began_ =
      std::chrono::steady_clock::now();
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

TEST_F(ServerTest, TakesInWhatRunsLeftInTheSpool) {
  options_.spool_directory = directory_ + "/spool";
  fs::create_directory(options_.spool_directory);
  const auto leave = [&](const std::string& job, int64_t ranks) {
    const auto bytes = testing::EncodedRun(job, ranks);
    ASSERT_TRUE(reduction::WriteFileAtomically(
                    bytes, options_.spool_directory + "/" + job + ".trace")
                    .ok());
  };
  leave("1", 4);
  leave("2", 9);
  std::ofstream(options_.spool_directory + "/3.trace") << "no trace";
  auto server = Start();
  ASSERT_TRUE(server->WaitForRuns(2, kPatienceMs));
  leave("1", 4);  // once more
  leave("4", 16);
  ASSERT_TRUE(server->WaitForRuns(3, kPatienceMs));
  const auto runs = server->Runs();
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs->size(), 3u);
  EXPECT_EQ((*runs)[0].job, "1");
  EXPECT_EQ((*runs)[2].job, "4");
  server->Stop();
  std::set<std::string> left;
  for (const auto& file : fs::directory_iterator(options_.spool_directory)) {
    left.insert(file.path().filename());
  }
  EXPECT_EQ(left, std::set<std::string>{"3.trace.damaged"});
}

TEST_F(ServerTest, AFullStoreIsNamedOnce) {
  options_.spool_directory = directory_ + "/spool";
  options_.quotas.all_bytes = 10;
  fs::create_directory(options_.spool_directory);
  const std::string path = options_.spool_directory + "/1.trace";
  ASSERT_TRUE(
      reduction::WriteFileAtomically(testing::EncodedRun("1", 4), path).ok());
  std::atomic<int> told{0};
  options_.log = [&told](const LogEvent& event) {
    told += event.text.find("waits: ") != event.text.npos;
  };
  auto server = Start();
  while (told == 0) std::this_thread::yield();
  // Two that are put aside, one after the other: between them it comes by what
  // waits again.
  for (const std::string name : {"0", "00"}) {
    const std::string damaged =
        options_.spool_directory + "/" + name + ".trace";
    std::ofstream(damaged) << "no trace";
    while (!fs::exists(damaged + ".damaged")) std::this_thread::yield();
  }
  server->Stop();
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(fs::exists(path));
}

TEST_F(ServerTest, AStartReadsNoRunThatWasLearnedFrom) {
  const std::vector<int64_t> asked = {36};
  double seconds = 0;
  {
    auto server = Start();
    WireClient client(server->endpoint());
    for (int64_t ranks : {4, 9, 16}) {
      client.SendRun("j" + std::to_string(ranks), ranks);
    }
    EXPECT_TRUE(server->WaitForRuns(3, kPatienceMs));
    seconds = server->ForecastFor("app", asked)->points[0].seconds;
  }
  for (const auto& file : fs::directory_iterator(directory_ + "/store/runs")) {
    std::ofstream(file.path()) << "no longer a trace";
  }
  auto server = Start();
  auto forecast = server->ForecastFor("app", asked);
  ASSERT_TRUE(forecast.ok());
  EXPECT_DOUBLE_EQ(forecast->points[0].seconds, seconds);
  ASSERT_EQ(server->Groups().size(), 1u);
  EXPECT_EQ(server->Groups()[0].runs, 3u);
}

TEST_F(ServerTest, AnotherStartForgetsARunThatWasRemoved) {
  {
    auto server = Start();
    WireClient client(server->endpoint());
    for (int64_t ranks : {4, 9, 16, 25}) {
      client.SendRun("j" + std::to_string(ranks), ranks);
    }
  }
  auto store = Store::Open(directory_ + "/store");
  ASSERT_TRUE(store.ok());
  ASSERT_TRUE(store->Remove("j9").ok());
  auto server = Start();
  EXPECT_EQ(server->ForecastFor("app", {})->measured,
            (std::vector<int64_t>{4, 16, 25}));
}

TEST_F(ServerTest, OfSeveralBuildsTheOneStoredLastIsForecastAfterARestart) {
  const auto store = [&](const std::string& build, int64_t ranks) {
    testing::SyntheticRun run;
    run.job = run.build_id = build;
    run.ranks = ranks;
    run.events.push_back({reduction::Call::MPI_Barrier_, 16, 1, 0.5, 10});
    const reduction::Trace trace = testing::MakeTrace(run);
    auto opened = Store::Open(options_.store_directory);
    ASSERT_TRUE(opened.ok());
    ASSERT_TRUE(opened
                    ->AddRun(reduction::Encode(
                        trace, reduction::SketchForm::kQuantiles))
                    .ok());
  };
  store("z", 4);
  store("a", 9);
  Start()->Stop();
  const auto forecast = Start()->ForecastFor("app", {});
  ASSERT_TRUE(forecast.ok()) << forecast.status().message();
  EXPECT_EQ(forecast->measured, std::vector<int64_t>{9});
}

TEST_F(ServerTest, ASecondOnOneStoreIsRefused) {
  auto one = Start();
  const auto other = Server::Start(options_);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.status().code(), StatusCode::kIo);
  EXPECT_NE(other.status().message().find("another side-car serves"),
            std::string::npos);
  one.reset();
  EXPECT_NE(Start(), nullptr);
}

TEST_F(ServerTest, ASecondPageAtOneAddressIsRefused) {
  options_.http = "127.0.0.1:0";
  auto one = Start();
  ServerOptions options = options_;
  options.store_directory = directory_ + "/other";
  options.http = one->http_address().substr(std::string("http://").size());
  const auto other = Server::Start(options);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.status().code(), StatusCode::kIo);
  one.reset();
  EXPECT_TRUE(Server::Start(options).ok());
}

// As `ranksight runs import` and `remove` do.
TEST_F(ServerTest, FollowsWhatOthersDoToItsStore) {
  auto server = Start();
  {
    WireClient client(server->endpoint());
    for (int64_t ranks : {4, 9}) {
      client.SendRun("j" + std::to_string(ranks), ranks);
    }
  }
  auto store = Store::Open(options_.store_directory);
  ASSERT_TRUE(store.ok());
  const auto import = [&](int64_t ranks) {
    const std::string job = "j" + std::to_string(ranks);
    ASSERT_TRUE(store->AddRun(testing::EncodedRun(job, ranks)).ok());
  };
  const auto measured = [&] {
    const auto forecast = server->ForecastFor("app", {});
    EXPECT_TRUE(forecast.ok()) << forecast.status().message();
    return forecast.ok() ? forecast->measured : std::vector<int64_t>();
  };
  uint64_t version = server->version();
  import(16);
  EXPECT_GT(server->version(), version);
  EXPECT_EQ(measured(), (std::vector<int64_t>{4, 9, 16}));
  version = server->version();
  ASSERT_TRUE(store->Remove("j9").ok());
  EXPECT_GT(server->version(), version);
  EXPECT_EQ(measured(), (std::vector<int64_t>{4, 16}));
  // As many runs as before, of which the newest has the number of one removed.
  ASSERT_TRUE(store->Remove("j16").ok());
  import(25);
  EXPECT_EQ(measured(), (std::vector<int64_t>{4, 25}));
  ASSERT_EQ(server->Groups().size(), 1u);
  EXPECT_EQ(server->Groups()[0].runs, 2u);
  // What comes over the wire next is learned beside it, and kept so.
  import(36);
  WireClient client(server->endpoint());
  client.SendRun("j49", 49);
  EXPECT_EQ(measured(), (std::vector<int64_t>{4, 25, 36, 49}));
  server.reset();
  server = Start();
  EXPECT_EQ(measured(), (std::vector<int64_t>{4, 25, 36, 49}));
}

TEST_F(ServerTest, WhatIsOlderThanItIsKeptIsRemovedAtTheStart) {
  auto server = Start();
  for (int64_t ranks : {4, 9}) {
    WireClient client(server->endpoint());
    client.SendRun("j" + std::to_string(ranks), ranks);
  }
  server.reset();
  // Without an index a run was stored when its file was written.
  const fs::path store = options_.store_directory;
  for (const char* name : {"", "-wal", "-shm"}) {
    fs::remove(store / (std::string("index.sqlite") + name));
  }
  fs::last_write_time(
      store / "runs" / "j4.trace",
      fs::file_time_type::clock::now() - std::chrono::hours(24 * 20));
  options_.retention = {{"", "", 10}};
  server = Start();
  const auto runs = server->Runs();
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs->size(), 1u);
  EXPECT_EQ((*runs)[0].job, "j9");
  ASSERT_EQ(server->Groups().size(), 1u);
  EXPECT_EQ(server->Groups()[0].measured, std::vector<int64_t>{9});
  EXPECT_FALSE(fs::exists(store / "runs" / "j4.trace"));
}

TEST_F(ServerTest, WhatNobodyRanIsNoRun) {
  options_.spool_directory = directory_ + "/spool";
  fs::create_directory(options_.spool_directory);
  auto made = reduction::Decode(testing::EncodedRun("1", 4));
  ASSERT_TRUE(made.ok());
  made->meta.origin = reduction::Origin::kExtrapolated;
  const std::string path = options_.spool_directory + "/1.trace";
  ASSERT_TRUE(reduction::WriteTraceFile(*made, path).ok());
  const auto bytes = testing::EncodedRun("2", 9);
  ASSERT_TRUE(reduction::WriteFileAtomically(
                  bytes, options_.spool_directory + "/2.trace")
                  .ok());
  auto server = Start();
  ASSERT_TRUE(server->WaitForRuns(1, kPatienceMs));
  const auto runs = server->Runs();
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs->size(), 1u);
  EXPECT_EQ((*runs)[0].job, "2");
  EXPECT_TRUE(fs::exists(path + ".damaged"));
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
