// Readers of the page that are slow, greedy or plain.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <thread>

#include "online_model/api/server.h"
#include "tests/unit/online_model/page_fixture.h"

namespace ranksight::online_model {
namespace {

namespace fs = std::filesystem;
using testing::kPageSeconds;
using testing::PageTest;

// The server's end of a connection, which is of this process, too; -1: none.
int OtherEnd(int fd) {
  sockaddr_in own{};
  socklen_t size = sizeof(own);
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) != 0) {
    return -1;
  }
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    const int other = std::stoi(entry.path().filename());
    sockaddr_in peer{};
    size = sizeof(peer);
    if (::getpeername(other, reinterpret_cast<sockaddr*>(&peer), &size) == 0 &&
        peer.sin_family == AF_INET && peer.sin_port == own.sin_port) {
      return other;
    }
  }
  return -1;
}

// Held back, the second answer and those after it came 40 ms late each.
TEST_F(PageTest, HoldsNoAnswerBackUntilItsHeadIsAcknowledged) {
  Start();
  const int fd = Connect();
  ASSERT_TRUE(SendText(fd, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  char first = 0;
  ASSERT_EQ(::recv(fd, &first, 1, 0), 1);
  int is_sent_at_once = 0;
  socklen_t size = sizeof(is_sent_at_once);
  ASSERT_EQ(::getsockopt(OtherEnd(fd), IPPROTO_TCP, TCP_NODELAY,
                         &is_sent_at_once, &size),
            0);
  EXPECT_NE(is_sent_at_once, 0);
  ::close(fd);
}

TEST_F(PageTest, ReadersThatStallHoldUpNobody) {
  Start();
  std::vector<int> stalled;
  for (int i = 0; i < 500; ++i) {
    stalled.push_back(Connect());
    // Some say nothing at all.
    if (i % 2 == 0) SendText(stalled.back(), "GET /api");
  }
  SendRuns();
  EXPECT_EQ(server_->runs_stored(), 4u);
  EXPECT_EQ(Get("/api/runs")["runs"].size(), 4u);
  for (const int fd : stalled) ::close(fd);
}

// Each byte comes in time; the whole request never does.
TEST_F(PageTest, ReadersThatAskByteByByteHoldUpNobody) {
  Start();
  std::vector<int> slow;
  for (int i = 0; i < 64; ++i) {
    slow.push_back(Connect());
    SendText(slow.back(), "GET / HTTP/1.1\r\nX: ");
  }
  std::promise<void> answered;
  std::thread trickle([&slow, stop = answered.get_future()] {
    // A byte for each of them, and the next one a little later.
    const auto pace = std::chrono::milliseconds(20);
    do {
      for (const int fd : slow) SendText(fd, "x");
    } while (stop.wait_for(pace) == std::future_status::timeout);
  });
  EXPECT_EQ(Get("/api/state")["groups"].size(), 0u);
  answered.set_value();
  trickle.join();
  for (const int fd : slow) ::close(fd);
}

TEST_F(PageTest, ReadersThatAskWithoutEndAreCutOff) {
  Start();
  const int fd = Connect();
  SendText(fd, "GET / HTTP/1.1\r\n");
  const std::string line = "X: " + std::string(1000, 'x') + "\r\n";
  size_t sent = 0;
  while (sent < (size_t{64} << 20) && SendText(fd, line)) sent += line.size();
  EXPECT_LT(sent, size_t{64} << 20);
  ::close(fd);
  EXPECT_EQ(Code("/", {}), 200);
  EXPECT_EQ(Code("/", {{"X-Long", std::string(7000, 'x')}}), 200);
  EXPECT_NE(Code("/", {{"X-Long", std::string(9000, 'x')}}), 200);
}

TEST_F(PageTest, IsPackedByGzipWhereABrowserWouldTakeBrotliToo) {
  Start();
  httplib::Client client(page_.address);
  client.set_read_timeout(kPageSeconds);
  const auto answer =
      client.Get("/page.js", {{"Accept-Encoding", "gzip, deflate, br, zstd"}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->get_header_value("Content-Encoding"), "gzip");
  EXPECT_NE(answer->body.find("ranksightReport"), std::string::npos);
}

}  // namespace
}  // namespace ranksight::online_model
