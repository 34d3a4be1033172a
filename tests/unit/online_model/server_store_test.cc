// A side-car and its store: over restarts, beside others who change it, its
// spool, and what is too old, too much or no run.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "reduction/api/codec.h"
#include "tests/unit/online_model/server_fixture.h"
#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

namespace fs = std::filesystem;
using reduction::StatusCode;

using testing::kPatienceMs;
using testing::WireClient;

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

}  // namespace
}  // namespace ranksight::online_model
