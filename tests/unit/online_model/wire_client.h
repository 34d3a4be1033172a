// A client of the side-car over real sockets, for tests.
#pragma once

#include <gtest/gtest.h>
#include <zmq.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/wire.h"
#include "tests/unit/online_model/synthetic_run.h"

namespace ranksight::testing {

using reduction::FrameKind;
using reduction::WireFrame;

// What nothing takes that comes to an end, however busy the machine is.
inline constexpr int kPatienceMs = 600000;

// complete is false: what is seen after half of it.
inline std::vector<uint8_t> EncodedRun(const std::string& job, int64_t ranks,
                                       bool complete = true) {
  SyntheticRun run;
  run.job = job;
  run.ranks = ranks;
  const double share = complete ? 1 : 0.5;
  run.events.push_back({reduction::Call::MPI_Barrier_, 16,
                        share * 40 / double(ranks),
                        share * 0.01 * double(ranks), uint64_t(share * 10)});
  reduction::Trace trace = MakeTrace(run);
  trace.meta.complete = complete;
  return reduction::Encode(trace, reduction::SketchForm::kQuantiles);
}

struct ClientKeys {
  std::string server, own_public, own_secret;  // Z85
};

// A client as simple as the protocol allows.
class WireClient {
 public:
  // keys: what a side-car with keys asks for; empty: none.
  explicit WireClient(const std::string& endpoint, const ClientKeys& keys = {},
                      int patience = kPatienceMs) {
    context_ = zmq_ctx_new();
    socket_ = zmq_socket(context_, ZMQ_DEALER);
    if (!keys.server.empty()) {
      SetKey(ZMQ_CURVE_SERVERKEY, keys.server);
      SetKey(ZMQ_CURVE_PUBLICKEY, keys.own_public);
      SetKey(ZMQ_CURVE_SECRETKEY, keys.own_secret);
    }
    const int linger = 0;
    zmq_setsockopt(socket_, ZMQ_LINGER, &linger, sizeof(linger));
    zmq_setsockopt(socket_, ZMQ_RCVTIMEO, &patience, sizeof(patience));
    zmq_setsockopt(socket_, ZMQ_SNDTIMEO, &patience, sizeof(patience));
    EXPECT_EQ(zmq_connect(socket_, endpoint.c_str()), 0);
  }
  ~WireClient() {
    zmq_close(socket_);
    zmq_ctx_term(context_);
  }
  WireClient(const WireClient&) = delete;
  WireClient& operator=(const WireClient&) = delete;

  void SendBytes(const std::vector<uint8_t>& bytes, int flags = 0) {
    EXPECT_GE(zmq_send(socket_, bytes.data(), bytes.size(), flags), 0);
  }
  WireFrame Receive() {
    std::vector<uint8_t> bytes(65536);
    const int n = zmq_recv(socket_, bytes.data(), bytes.size(), 0);
    EXPECT_GE(n, 0) << "no reply";
    bytes.erase(bytes.begin() + std::clamp(n, 0, int(bytes.size())),
                bytes.end());
    auto frame = reduction::DecodeFrame(bytes);
    EXPECT_TRUE(frame.ok());
    return frame.ok() ? *frame : WireFrame();
  }
  // True when nothing has come until now.
  bool HeardNothing() {
    zmq_pollitem_t item{socket_, 0, ZMQ_POLLIN, 0};
    return zmq_poll(&item, 1, 0) == 0;
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
  WireFrame Epoch(uint64_t segments) {
    WireFrame f;
    f.kind = FrameKind::kEpoch;
    f.sequence = segments;
    return Ask(f);
  }
  // What a run that goes on has sent after half of it.
  void SendHalf(const std::string& job, int64_t ranks) {
    EXPECT_EQ(Hello(job, ranks).kind, FrameKind::kWelcome);
    EXPECT_EQ(Segment(1, EncodedRun(job, ranks, false)).sequence, 1u);
    EXPECT_EQ(Epoch(1).sequence, 2u);
  }
  // False as soon as something is not acknowledged; nothing is expected.
  bool TrySendRun(const std::string& job, int64_t ranks) {
    WireFrame hello, segment, end;
    hello.job = job;
    hello.program = "app";
    hello.build_id = "b1";
    hello.ranks = ranks;
    segment.kind = FrameKind::kSegment;
    segment.sequence = 1;
    segment.payload = EncodedRun(job, ranks);
    end.kind = FrameKind::kEnd;
    end.sequence = 1;
    return TryAsk(hello).kind == FrameKind::kWelcome &&
           TryAsk(segment).sequence == 1 && TryAsk(end).sequence == 2;
  }
  // The last reply, to the end.
  WireFrame SendRun(const std::string& job, int64_t ranks, size_t part = 100) {
    const auto bytes = EncodedRun(job, ranks);
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
  // A refusal when there is no answer.
  WireFrame TryAsk(const WireFrame& frame) {
    WireFrame none;
    none.kind = FrameKind::kRefuse;
    const auto bytes = reduction::EncodeFrame(frame);
    uint8_t answer[4096];
    if (zmq_send(socket_, bytes.data(), bytes.size(), 0) < 0) return none;
    const int n = zmq_recv(socket_, answer, sizeof(answer), 0);
    if (n <= 0 || size_t(n) > sizeof(answer)) return none;
    auto decoded = reduction::DecodeFrame({answer, size_t(n)});
    return decoded.ok() ? *decoded : none;
  }
  void SetKey(int option, const std::string& key) {
    EXPECT_EQ(zmq_setsockopt(socket_, option, key.c_str(), key.size() + 1), 0);
  }

  void* context_;
  void* socket_;
};

}  // namespace ranksight::testing
