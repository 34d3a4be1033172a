#include "online_model/ingest/connection.h"

#include <gtest/gtest.h>

#include "online_model/ingest/endpoint.h"

namespace ranksight::online_model {
namespace {

using reduction::FrameKind;
using reduction::Status;
using reduction::StatusCode;
using reduction::WireFrame;

constexpr uint64_t kPlenty = 1 << 20;

WireFrame Hello(const std::string& job = "j") {
  WireFrame f;
  f.kind = FrameKind::kHello;
  f.job = job;
  f.ranks = 4;
  return f;
}

WireFrame Numbered(FrameKind kind, uint64_t sequence,
                   std::vector<uint8_t> payload = {}) {
  WireFrame f;
  f.kind = kind;
  f.sequence = sequence;
  f.payload = std::move(payload);
  return f;
}

class ConnectionTest : public ::testing::Test {
 protected:
  // The reply, after the verdict where a run was handed over.
  WireFrame Send(const WireFrame& frame, uint64_t allowance = kPlenty) {
    const size_t before = runs_.size();
    const auto reply = connection_.Handle(
        frame, allowance,
        [this](std::vector<uint8_t> trace, Connection::Sent sent) {
          (sent == Connection::Sent::kRun ? runs_ : epochs_)
              .push_back(std::move(trace));
        });
    if (runs_.size() > before) {
      EXPECT_FALSE(reply.has_value());
      return connection_.Finish(verdict_);
    }
    EXPECT_TRUE(reply.has_value());
    return reply.value_or(WireFrame());
  }
  void ExpectAck(const WireFrame& reply, uint64_t sequence) {
    EXPECT_EQ(reply.kind, FrameKind::kAck) << reply.reason;
    EXPECT_EQ(reply.sequence, sequence);
  }

  Connection connection_;
  Status verdict_;
  std::vector<std::vector<uint8_t>> runs_, epochs_;
};

TEST_F(ConnectionTest, JoinsSegmentsInOrderAndAcknowledgesTheEndLast) {
  const WireFrame welcome = Send(Hello());
  EXPECT_EQ(welcome.kind, FrameKind::kWelcome);
  EXPECT_EQ(welcome.sequence, kCredit);
  ExpectAck(Send(Numbered(FrameKind::kSegment, 1, {1, 2})), 1);
  ExpectAck(Send(Numbered(FrameKind::kSegment, 2, {3})), 2);
  EXPECT_TRUE(runs_.empty());
  ExpectAck(Send(Numbered(FrameKind::kEnd, 2)), 3);
  ASSERT_EQ(runs_.size(), 1u);
  EXPECT_EQ(runs_[0], (std::vector<uint8_t>{1, 2, 3}));
  EXPECT_EQ(connection_.bytes_held(), 0u);
}

TEST_F(ConnectionTest, DropsWhatComesTwice) {
  Send(Hello());
  Send(Numbered(FrameKind::kSegment, 1, {1}));
  Send(Numbered(FrameKind::kSegment, 2, {2}));
  ExpectAck(Send(Numbered(FrameKind::kSegment, 1, {1})), 2);
  Send(Hello());
  ExpectAck(Send(Numbered(FrameKind::kEnd, 2)), 3);
  ExpectAck(Send(Numbered(FrameKind::kEnd, 2)), 3);
  ASSERT_EQ(runs_.size(), 1u);
  EXPECT_EQ(runs_[0], (std::vector<uint8_t>{1, 2}));
}

TEST_F(ConnectionTest, AGapIsAnsweredWithWhereToGoOn) {
  Send(Hello());
  Send(Numbered(FrameKind::kSegment, 1, {1}));
  ExpectAck(Send(Numbered(FrameKind::kSegment, 3, {3})), 1);
  ExpectAck(Send(Numbered(FrameKind::kEnd, 3)), 1);
  EXPECT_TRUE(runs_.empty());
  ExpectAck(Send(Numbered(FrameKind::kSegment, 2, {2})), 2);
  ExpectAck(Send(Numbered(FrameKind::kSegment, 3, {3})), 3);
  ExpectAck(Send(Numbered(FrameKind::kEnd, 3)), 4);
  EXPECT_EQ(runs_[0], (std::vector<uint8_t>{1, 2, 3}));
}

TEST_F(ConnectionTest, SaysNothingOfARunThatIsBeingStored) {
  const Connection::HandOver take = [this](std::vector<uint8_t> run,
                                           Connection::Sent) {
    runs_.push_back(std::move(run));
  };
  Send(Hello());
  Send(Numbered(FrameKind::kSegment, 1, {1}));
  const WireFrame end = Numbered(FrameKind::kEnd, 1);
  EXPECT_FALSE(connection_.Handle(end, kPlenty, take).has_value());
  EXPECT_FALSE(connection_.Handle(end, kPlenty, take).has_value());
  EXPECT_EQ(connection_.state(), Connection::State::kStoring);
  ExpectAck(
      *connection_.Handle(Numbered(FrameKind::kSegment, 2, {2}), kPlenty, take),
      1);
  EXPECT_EQ(runs_.size(), 1u);
  ExpectAck(connection_.Finish(Status::Ok()), 2);
  ExpectAck(*connection_.Handle(end, kPlenty, take), 2);
}

TEST_F(ConnectionTest, RefusesFramesBeforeHelloAndFramesOfAServer) {
  EXPECT_EQ(Send(Numbered(FrameKind::kSegment, 1)).kind, FrameKind::kRefuse);
  EXPECT_EQ(Send(Numbered(FrameKind::kEnd, 0)).kind, FrameKind::kRefuse);
  EXPECT_EQ(Send(Numbered(FrameKind::kAck, 1)).kind, FrameKind::kRefuse);
}

TEST_F(ConnectionTest, RefusesARunWithoutBytes) {
  Send(Hello());
  EXPECT_EQ(Send(Numbered(FrameKind::kEnd, 0)).kind, FrameKind::kRefuse);
  Send(Hello());
  Send(Numbered(FrameKind::kSegment, 1, {}));
  EXPECT_EQ(Send(Numbered(FrameKind::kEnd, 1)).kind, FrameKind::kRefuse);
  EXPECT_TRUE(runs_.empty());
}

TEST_F(ConnectionTest, RefusesAnotherVersion) {
  WireFrame hello = Hello();
  hello.version = reduction::kWireVersion + 1;
  EXPECT_EQ(Send(hello).kind, FrameKind::kRefuse);
}

TEST_F(ConnectionTest, AnEpochIsHandedOverAndCountingBeginsAnew) {
  Send(Hello());
  ExpectAck(Send(Numbered(FrameKind::kSegment, 1, {1, 2})), 1);
  ExpectAck(Send(Numbered(FrameKind::kEpoch, 2)), 1);  // one is missing
  ExpectAck(Send(Numbered(FrameKind::kSegment, 2, {3})), 2);
  ExpectAck(Send(Numbered(FrameKind::kEpoch, 2)), 3);
  ExpectAck(Send(Numbered(FrameKind::kSegment, 1, {4, 5, 6})), 1);
  ExpectAck(Send(Numbered(FrameKind::kEpoch, 1)), 2);
  EXPECT_EQ(epochs_, (std::vector<std::vector<uint8_t>>{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(connection_.segments(), 3u);
  EXPECT_EQ(connection_.bytes_received(), 6u);
  EXPECT_EQ(connection_.epochs(), 2u);
  EXPECT_EQ(connection_.bytes_held(), 0u);
  ExpectAck(Send(Numbered(FrameKind::kSegment, 1, {7})), 1);
  ExpectAck(Send(Numbered(FrameKind::kEnd, 1)), 2);
  EXPECT_EQ(runs_, (std::vector<std::vector<uint8_t>>{{7}}));
  EXPECT_EQ(Send(Numbered(FrameKind::kEpoch, 1)).kind, FrameKind::kRefuse);
}

TEST_F(ConnectionTest, HoldsNoMoreThanAllowed) {
  Send(Hello());
  ExpectAck(Send(Numbered(FrameKind::kSegment, 1, {1, 2, 3, 4}), 100), 1);
  const WireFrame reply =
      Send(Numbered(FrameKind::kSegment, 2, std::vector<uint8_t>(60)), 96);
  EXPECT_EQ(reply.kind, FrameKind::kRefuse);
  EXPECT_EQ(connection_.bytes_held(), 0u);
}

TEST_F(ConnectionTest, ARunThatIsNotAcceptedIsRefusedWithTheReason) {
  verdict_ = Status::BadInput("17: why");
  Send(Hello());
  Send(Numbered(FrameKind::kSegment, 1, {1}));
  const WireFrame reply = Send(Numbered(FrameKind::kEnd, 1));
  EXPECT_EQ(reply.kind, FrameKind::kRefuse);
  EXPECT_EQ(reply.reason, "17: why");
}

TEST(Endpoint, AcceptsLoopbackAndSocketFilesOnly) {
  for (const char* good :
       {"tcp://127.0.0.1:5570", "tcp://127.0.0.1:*", "tcp://localhost:0",
        "tcp://[::1]:7", "ipc:///run/x/y.sock", "ipc://here.sock"}) {
    EXPECT_TRUE(ParseListen(good).ok()) << good;
  }
  for (const char* bad :
       {"tcp://*:5570", "tcp://0.0.0.0:5570", "tcp://192.168.1.2:5570",
        "tcp://example.org:1", "tcp://127.0.0.1", "tcp://127.0.0.1:70000",
        "tcp://127.0.0.1:1x", "tcp://:5570", "ipc://", "ipc://@abstract",
        "ipc://*", "inproc://x", "udp://127.0.0.1:1", "", "5570",
        "tcp://127.0.0.1.evil.org:1", "tcp://eth0:1"}) {
    EXPECT_EQ(ParseListen(bad).status().code(), StatusCode::kUsage) << bad;
  }
  EXPECT_TRUE(ParseListen("tcp://*:5570", true).ok());
  EXPECT_TRUE(ParseListen("tcp://192.168.1.2:5570", true).ok());
  EXPECT_EQ(ParseListen("tcp://example.org:1", true).status().code(),
            StatusCode::kUsage);
  EXPECT_EQ(ParseListen("ipc://" + std::string(200, 'a')).status().code(),
            StatusCode::kUsage);
}

}  // namespace
}  // namespace ranksight::online_model
