#include "online_model/api/keys.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "online_model/api/server.h"
#include "tests/support/scratch_folder.h"
#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

namespace fs = std::filesystem;
using reduction::StatusCode;
using testing::WireClient;

class KeysTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.listen = "tcp://127.0.0.1:*";
    options_.store_directory = directory_ + "/store";
    options_.keys_directory = server_keys_;
    options_.log = [this](const LogEvent& event) {
      const std::lock_guard<std::mutex> lock(mutex_);
      log_ += event.text + "\n";
      logged_.notify_all();
    };
  }
  static unsigned ModeOf(const std::string& path) {
    struct stat info {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
    return info.st_mode & 0777;
  }
  std::string LogText() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return log_;
  }
  // Whether there comes a line with this.
  bool Logs(const std::string& text) {
    std::unique_lock<std::mutex> lock(mutex_);
    return logged_.wait_for(
        lock, std::chrono::milliseconds(testing::kPatienceMs),
        [&] { return log_.find(text) != std::string::npos; });
  }

  const support::ScratchFolder folder_;
  const std::string& directory_ = folder_.path();
  const std::string server_keys_ = directory_ + "/server";
  ServerOptions options_;
  std::mutex mutex_;
  std::condition_variable logged_;
  std::string log_;
};

TEST_F(KeysTest, ArePrivateAndNeverOverwritten) {
  const auto made = NewKeys(server_keys_);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(ModeOf(server_keys_), 0700u);
  EXPECT_EQ(ModeOf(server_keys_ + "/secret.key"), 0600u);
  EXPECT_EQ(NewKeys(server_keys_).status().code(), StatusCode::kNo);
  const auto read = ReadKeys(server_keys_);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->public_key, made->public_key);
  EXPECT_EQ(read->secret_key, made->secret_key);
  fs::permissions(server_keys_ + "/secret.key", fs::perms(0640));
  EXPECT_EQ(ReadKeys(server_keys_).status().code(), StatusCode::kUsage);
}

TEST_F(KeysTest, DamagedFilesAreBadInput) {
  const auto made = NewKeys(server_keys_);
  ASSERT_TRUE(made.ok());
  std::ofstream(server_keys_ + "/secret.key") << made->secret_key << "\n"
                                              << made->secret_key << "\n";
  EXPECT_EQ(ReadKeys(server_keys_).status().code(), StatusCode::kBadInput);
  ASSERT_TRUE(AllowKey(server_keys_, made->public_key, "me").ok());
  std::ofstream(server_keys_ + "/allowed", std::ios::app) << "nonsense\n";
  const auto allowed = ReadAllowed(server_keys_);
  EXPECT_EQ(allowed.status().code(), StatusCode::kBadInput);
  EXPECT_NE(allowed.status().message().find("allowed:44: "), std::string::npos)
      << allowed.status().message();
}

TEST_F(KeysTest, AllowedOnesAreListedOnce) {
  const auto a = NewKeys(directory_ + "/a"), b = NewKeys(directory_ + "/b");
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_TRUE(AllowKey(server_keys_, a->public_key, "node a").ok());
  EXPECT_TRUE(AllowKey(server_keys_, b->public_key, "").ok());
  EXPECT_TRUE(AllowKey(server_keys_, a->public_key, "again").ok());
  EXPECT_EQ(AllowKey(server_keys_, "short", "x").code(), StatusCode::kUsage);
  EXPECT_EQ(AllowKey(server_keys_, a->public_key, "x\ny").code(),
            StatusCode::kUsage);
  const auto allowed = ReadAllowed(server_keys_);
  ASSERT_TRUE(allowed.ok());
  ASSERT_EQ(allowed->size(), 2u);
  EXPECT_EQ((*allowed)[0].name, "node a");
  EXPECT_EQ((*allowed)[1].key, b->public_key);
  EXPECT_EQ(ModeOf(server_keys_ + "/allowed"), 0600u);
}

TEST_F(KeysTest, LetInWhoIsAllowedAndNobodyElse) {
  const auto own = NewKeys(server_keys_);
  const auto friendly = NewKeys(directory_ + "/friend");
  const auto stranger = NewKeys(directory_ + "/stranger");
  ASSERT_TRUE(own.ok() && friendly.ok() && stranger.ok());
  ASSERT_TRUE(AllowKey(server_keys_, friendly->public_key, "friend").ok());
  auto server = Server::Start(options_);
  ASSERT_TRUE(server.ok()) << server.status().message();
  const std::string where = (*server)->endpoint();
  WireClient good(
      where, {own->public_key, friendly->public_key, friendly->secret_key});
  EXPECT_EQ(good.SendRun("j", 4).kind, reduction::FrameKind::kAck);

  reduction::WireFrame hello;
  hello.job = "x";
  const auto bytes = reduction::EncodeFrame(hello);
  WireClient unknown(
      where, {own->public_key, stranger->public_key, stranger->secret_key});
  unknown.SendBytes(bytes);
  WireClient without(where);
  without.SendBytes(bytes);
  EXPECT_TRUE(Logs(stranger->public_key)) << LogText();
  EXPECT_TRUE(unknown.HeardNothing());
  EXPECT_TRUE(Logs("ended without a key")) << LogText();
  EXPECT_TRUE(without.HeardNothing());
  EXPECT_GE((*server)->counters().keys_refused, 1u);
  EXPECT_EQ((*server)->Live().size(), 1u);

  // Allowed while the side-car runs.
  ASSERT_TRUE(AllowKey(server_keys_, stranger->public_key, "late").ok());
  WireClient late(
      where, {own->public_key, stranger->public_key, stranger->secret_key});
  EXPECT_EQ(late.SendRun("k", 4).kind, reduction::FrameKind::kAck);
  // Whose runs these are stands with them.
  const auto runs = (*server)->Runs();
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ((*runs)[0].sender, (Sender{"friend", UserName(::geteuid())}));
  EXPECT_EQ((*runs)[1].sender.key, "late");
}

TEST_F(KeysTest, OnesThatWereTakenBackOpenNoMore) {
  const auto own = NewKeys(server_keys_);
  const auto old = NewKeys(directory_ + "/old");
  const auto fresh = NewKeys(directory_ + "/fresh");
  ASSERT_TRUE(own.ok() && old.ok() && fresh.ok());
  ASSERT_TRUE(AllowKey(server_keys_, old->public_key, "node").ok());
  EXPECT_EQ(ForbidKey(server_keys_, fresh->public_key).code(), StatusCode::kNo);
  auto server = Server::Start(options_);
  ASSERT_TRUE(server.ok()) << server.status().message();
  const std::string where = (*server)->endpoint();
  {
    WireClient before(where,
                      {own->public_key, old->public_key, old->secret_key});
    EXPECT_EQ(before.SendRun("j", 4).kind, reduction::FrameKind::kAck);
  }
  // The sender's keys are rotated while the side-car runs.
  ASSERT_TRUE(AllowKey(server_keys_, fresh->public_key, "node").ok());
  ASSERT_TRUE(ForbidKey(server_keys_, old->public_key).ok());
  WireClient after(where,
                   {own->public_key, fresh->public_key, fresh->secret_key});
  EXPECT_EQ(after.SendRun("k", 4).kind, reduction::FrameKind::kAck);
  WireClient late(where, {own->public_key, old->public_key, old->secret_key});
  late.SendBytes({1});
  EXPECT_TRUE(Logs(old->public_key)) << LogText();
  EXPECT_TRUE(late.HeardNothing());
  // Of a side-car with other keys than the sender knows nothing comes.
  WireClient astray(where,
                    {old->public_key, fresh->public_key, fresh->secret_key});
  astray.SendBytes({1});
  EXPECT_TRUE(Logs("expects another side-car's key")) << LogText();
  EXPECT_TRUE(astray.HeardNothing());
  EXPECT_EQ((*server)->runs_stored(), 2u);
}

TEST_F(KeysTest, AreNeededToListenElsewhereThanOnLoopback) {
  options_.listen = "tcp://*:*";
  EXPECT_EQ(Server::Start(options_).status().code(), StatusCode::kIo);
  ASSERT_TRUE(NewKeys(server_keys_).ok());
  EXPECT_TRUE(Server::Start(options_).ok());
  options_.keys_directory.clear();
  EXPECT_EQ(Server::Start(options_).status().code(), StatusCode::kUsage);
}

}  // namespace
}  // namespace ranksight::online_model
