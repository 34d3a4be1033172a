#include "runtime/egress/stream.h"

#include <gtest/gtest.h>
#include <zmq.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "reduction/api/wire.h"
#include "runtime/egress/peer.h"
#include "runtime/egress/zmq_library.h"

namespace ranksight::runtime {
namespace {

using reduction::FrameKind;
using reduction::WireFrame;

// A side-car that answers as it is told to.
class FakeSideCar {
 public:
  using Answers = std::function<std::optional<WireFrame>(const WireFrame&)>;
  // least_bytes: of an answer, with zeros at its end.
  explicit FakeSideCar(Answers answers, size_t least_bytes = 0)
      : answers_(std::move(answers)), least_bytes_(least_bytes) {
    context_ = zmq_ctx_new();
    socket_ = zmq_socket(context_, ZMQ_ROUTER);
    EXPECT_EQ(zmq_bind(socket_, "tcp://127.0.0.1:*"), 0);
    char where[256];
    size_t size = sizeof(where);
    zmq_getsockopt(socket_, ZMQ_LAST_ENDPOINT, where, &size);
    endpoint_ = where;
    EXPECT_EQ(
        zmq_socket_monitor(socket_, "inproc://left", ZMQ_EVENT_DISCONNECTED),
        0);
    left_ = zmq_socket(context_, ZMQ_PAIR);
    EXPECT_EQ(zmq_connect(left_, "inproc://left"), 0);
    thread_ = std::thread([this] { Serve(); });
  }
  ~FakeSideCar() {
    zmq_ctx_shutdown(context_);
    thread_.join();
    zmq_close(socket_);
    zmq_close(left_);
    zmq_ctx_term(context_);
  }
  const std::string& endpoint() const { return endpoint_; }
  // Whether a client has hung up, or does within so many milliseconds.
  bool IsLeftWithin(int timeout_ms) {
    zmq_pollitem_t item = {left_, 0, ZMQ_POLLIN, 0};
    return zmq_poll(&item, 1, timeout_ms) == 1;
  }
  // REQUIRES: the client has had its last answer.
  const std::vector<FrameKind>& heard() const { return heard_; }

 private:
  void Serve() {
    for (;;) {
      uint8_t identity[256], bytes[65536];
      const int id_size = zmq_recv(socket_, identity, sizeof(identity), 0);
      if (id_size < 0) return;
      const int size = zmq_recv(socket_, bytes, sizeof(bytes), 0);
      if (size < 0) return;
      const auto frame = reduction::DecodeFrame({bytes, size_t(size)});
      ASSERT_TRUE(frame.ok());
      heard_.push_back(frame->kind);
      const auto answer = answers_(*frame);
      if (!answer) continue;
      auto out = reduction::EncodeFrame(*answer);
      out.resize(std::max(out.size(), least_bytes_));
      zmq_send(socket_, identity, size_t(id_size), ZMQ_SNDMORE);
      zmq_send(socket_, out.data(), out.size(), 0);
    }
  }

  Answers answers_;
  size_t least_bytes_;
  void* context_;
  void* socket_;
  void* left_;  // says when a client is gone; of the test's own thread
  std::string endpoint_;
  std::vector<FrameKind> heard_;
  std::thread thread_;
};

// What a side-car of that version says to a client's frames.
FakeSideCar::Answers OfVersion(uint32_t version) {
  return [version](const WireFrame& frame) {
    WireFrame answer;
    if (frame.kind == FrameKind::kHello) {
      answer.kind = FrameKind::kWelcome;
      answer.version = version;
      answer.sequence = 8;
    } else {
      answer.kind = FrameKind::kAck;
      answer.sequence =
          frame.sequence + (frame.kind == FrameKind::kEnd ? 1 : 0);
    }
    return answer;
  };
}

const std::vector<uint8_t> kTrace(1000, 7);
// What no answer takes, however busy the machine is.
constexpr Patience kAmple = {.hello_ms = 600000, .ack_ms = 600000};

TEST(Stream, HandsTheTraceToASideCarOfItsVersion) {
  FakeSideCar side_car(OfVersion(reduction::kWireVersion));
  EXPECT_TRUE(Stream(kTrace, {}, side_car.endpoint(), kAmple).ok());
  EXPECT_EQ(
      side_car.heard(),
      (std::vector{FrameKind::kHello, FrameKind::kSegment, FrameKind::kEnd}));
}

TEST(Stream, SendsNothingToASideCarThatSpeaksOnlyAnotherVersion) {
  for (const uint32_t version :
       {reduction::kWireVersion + 1, reduction::kWireVersion - 1}) {
    FakeSideCar side_car(OfVersion(version));
    EXPECT_FALSE(Stream(kTrace, {}, side_car.endpoint(), kAmple).ok())
        << version;
    EXPECT_EQ(side_car.heard(), std::vector{FrameKind::kHello}) << version;
  }
}

TEST(Stream, TakesARefusalForAnAnswer) {
  FakeSideCar side_car([](const WireFrame&) {
    WireFrame answer;
    answer.kind = FrameKind::kRefuse;
    answer.reason = "version 1 is not spoken here";
    return answer;
  });
  EXPECT_EQ(Stream(kTrace, {}, side_car.endpoint(), kAmple).message(),
            "version 1 is not spoken here");
  EXPECT_EQ(side_car.heard(), std::vector{FrameKind::kHello});
}

// ZeroMQ would hold them in the program's memory, however large.
TEST(Peer, HangsUpOnAnswersThatAreTooLong) {
  FakeSideCar side_car(OfVersion(reduction::kWireVersion), 100000);
  Peer peer(*LoadZmq(), side_car.endpoint(), {});
  ASSERT_TRUE(peer.TrySend(HelloOf({})));
  // One or the other happens, however long it takes.
  while (!side_car.IsLeftWithin(20)) {
    ASSERT_FALSE(peer.TryReceive().has_value()) << "took the answer";
  }
  EXPECT_EQ(side_car.heard(), std::vector{FrameKind::kHello});
}

}  // namespace
}  // namespace ranksight::runtime
