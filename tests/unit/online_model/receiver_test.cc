#include "online_model/ingest/receiver.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <thread>
#include <vector>

#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

using reduction::FrameKind;
using testing::WireClient;

class ReceiverTest : public ::testing::Test {
 protected:
  ReceiverTest() {
    options_.listen = "tcp://127.0.0.1:*";
    options_.accept = [](const std::vector<uint8_t>&, const Sender&) {
      return reduction::Status::Ok();
    };
  }
  ~ReceiverTest() override {
    if (receiver_) receiver_->Stop();
    if (thread_.joinable()) thread_.join();
    for (const int fd : silent_) ::close(fd);
  }
  void Start() {
    auto bound = Receiver::Bind(options_);
    ASSERT_TRUE(bound.ok()) << bound.status().message();
    receiver_ = std::make_unique<Receiver>(std::move(bound).value());
    thread_ = std::thread([this] { receiver_->Run(); });
  }
  // Connections on which nothing is ever said.
  void ConnectSilently(int count) {
    const std::string& where = receiver_->endpoint();
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port =
        htons(uint16_t(std::stoi(where.substr(where.rfind(':') + 1))));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < count; ++i) {
      silent_.push_back(::socket(AF_INET, SOCK_STREAM, 0));
      ASSERT_EQ(::connect(silent_.back(), reinterpret_cast<sockaddr*>(&to),
                          sizeof(to)),
                0);
    }
  }
  // Until the other side has closed it.
  static bool IsClosed(int fd) {
    char bytes[256];
    ssize_t n;
    while ((n = ::recv(fd, bytes, sizeof(bytes), 0)) > 0) {
    }
    return n == 0 || errno == ECONNRESET;
  }

  ReceiverOptions options_;
  std::unique_ptr<Receiver> receiver_;
  std::thread thread_;
  std::vector<int> silent_;
};

TEST_F(ReceiverTest, SilentConnectionsAreClosedForThoseThatSpeak) {
  options_.most_sockets = 16;
  Start();
  WireClient early(receiver_->endpoint());
  EXPECT_EQ(early.Hello("early", 4).kind, FrameKind::kWelcome);
  ConnectSilently(200);
  // All but the newest 15: that which spoke stays.
  for (int i = 0; i < 185; ++i) ASSERT_TRUE(IsClosed(silent_[size_t(i)])) << i;
  EXPECT_EQ(early.Segment(1, {1, 2, 3}).sequence, 1u);
  EXPECT_EQ(early.End(1).sequence, 2u);
  WireClient late(receiver_->endpoint());
  EXPECT_EQ(late.SendRun("late", 4).kind, FrameKind::kAck);
  EXPECT_LE(receiver_->counters().sockets, 16u);
  EXPECT_GE(receiver_->counters().sockets_closed, 185u);
}

TEST_F(ReceiverTest, ClientsThatAreGoneMakeRoomAtOnce) {
  options_.most_connections = 4;
  Start();
  for (int i = 0; i < 40; ++i) {
    WireClient client(receiver_->endpoint());
    const std::string job = "j" + std::to_string(i);
    // That the one before has gone may be seen a moment later.
    while (client.Hello(job, 4).kind != FrameKind::kWelcome) {
    }
    EXPECT_EQ(client.Segment(1, {1}).sequence, 1u);
  }
}

TEST_F(ReceiverTest, OneThatSaysTheSameAgainAndAgainMakesRoom) {
  options_.most_connections = 1;
  options_.makes_room_ms = 20;
  Start();
  WireClient first(receiver_->endpoint()), second(receiver_->endpoint());
  EXPECT_EQ(first.Hello("first", 4).kind, FrameKind::kWelcome);
  EXPECT_EQ(first.Segment(1, {1}).sequence, 1u);
  // Each is answered, and brings nothing.
  while (second.Hello("second", 4).kind != FrameKind::kWelcome) {
    (void)first.Segment(1, {1});
  }
  EXPECT_EQ(first.Segment(1, {1}).kind, FrameKind::kRefuse);
}

TEST_F(ReceiverTest, OneThatIsAtItKeepsItsPlace) {
  options_.most_connections = 1;
  options_.makes_room_ms = testing::kPatienceMs;
  Start();
  WireClient first(receiver_->endpoint()), second(receiver_->endpoint());
  EXPECT_EQ(first.Hello("first", 4).kind, FrameKind::kWelcome);
  EXPECT_EQ(first.Segment(1, {1, 2}).sequence, 1u);
  const auto answer = second.Hello("second", 4);
  EXPECT_EQ(answer.kind, FrameKind::kRefuse);
  EXPECT_EQ(answer.reason, "too many runs are under way");
  EXPECT_EQ(first.End(1).sequence, 2u);
}

}  // namespace
}  // namespace ranksight::online_model
