// Any frames of any clients in any order, and any verdicts on their runs: each
// Connection answers as the table of reduction/WIRE.md says, and hands over
// the bytes that were sent. The same frames go to a Receiver over sockets,
// which answers alike.
//
// The input is steps (steps.h), whose first byte says which client, too.
#include <errno.h>
#include <zmq.h>

#include <map>
#include <memory>
#include <optional>
#include <thread>

#include "online_model/ingest/connection.h"
#include "online_model/ingest/receiver.h"
#include "reduction/api/wire.h"
#include "tests/fuzz/seeds.h"
#include "tests/fuzz/steps.h"

namespace ranksight::fuzz {
namespace {

using online_model::Connection;
using reduction::FrameKind;
using reduction::Status;
using reduction::WireFrame;

constexpr size_t kClients = 3;
// Bits of a step's first byte beside the client's.
constexpr uint8_t kVerdict = 4, kYes = 8, kTwoParts = 32;
// More than any input brings.
constexpr uint64_t kAllowance = uint64_t{1} << 30;

size_t ClientOf(const Step& step) { return (step.what & 3) % kClients; }

// The server's table, row by row.
class Table {
 public:
  std::optional<WireFrame> Handle(const WireFrame& f) {
    handed.reset();
    switch (f.kind) {
      case FrameKind::kHello:
        return Hello(f);
      case FrameKind::kSegment:
        return state_ == kNew || f.sequence == 0 ? Refuse() : Segment(f);
      case FrameKind::kEnd:
        return state_ == kNew || f.sequence < k_ ? Refuse() : End(f);
      case FrameKind::kEpoch:
        return state_ != kReceiving || f.sequence < k_ ? Refuse() : Epoch(f);
      default:
        return Refuse();
    }
  }
  WireFrame Finish(bool yes) {
    if (!yes) return Refuse();
    state_ = kStored;
    return Ack(k_ + 1);
  }
  // For what is no frame.
  WireFrame Refuse() {
    *this = Table();
    WireFrame f;
    f.kind = FrameKind::kRefuse;
    return f;
  }
  bool storing() const { return state_ == kStoring; }

  std::optional<Bytes> handed;  // by the last frame

 private:
  enum State { kNew, kReceiving, kStoring, kStored };

  static WireFrame Ack(uint64_t sequence) {
    WireFrame f;
    f.kind = FrameKind::kAck;
    f.sequence = sequence;
    return f;
  }
  WireFrame Hello(const WireFrame& f) {
    if (f.version != 1 || f.ranks < 1) return Refuse();
    if (state_ == kNew || f.job != job_) {
      *this = Table();
      state_ = kReceiving;
      job_ = f.job;
    }
    WireFrame welcome;
    welcome.kind = FrameKind::kWelcome;
    welcome.sequence = online_model::kCredit;
    return welcome;
  }
  WireFrame Segment(const WireFrame& f) {
    if (state_ == kReceiving && f.sequence == k_ + 1) {
      held_.insert(held_.end(), f.payload.begin(), f.payload.end());
      ++k_;
    }
    return Ack(k_);
  }
  std::optional<WireFrame> End(const WireFrame& f) {
    if (f.sequence > k_) return Ack(k_);
    if (state_ == kStored) return Ack(k_ + 1);
    if (state_ == kReceiving) {
      if (held_.empty()) return Refuse();
      handed = std::exchange(held_, {});
    }
    state_ = kStoring;
    return std::nullopt;
  }
  WireFrame Epoch(const WireFrame& f) {
    if (f.sequence > k_) return Ack(k_);
    handed = std::exchange(held_, {});
    return Ack(std::exchange(k_, 0) + 1);
  }

  State state_ = kNew;
  std::string job_;
  uint64_t k_ = 0;
  Bytes held_;
};

void RequireSame(std::optional<WireFrame> answer,
                 const std::optional<WireFrame>& expected) {
  if (answer && answer->kind == FrameKind::kRefuse) {
    RequireReason(answer->reason);
    answer->reason.clear();
  }
  Require(answer == expected);
}

void TryTable(const std::vector<Step>& steps) {
  Connection connections[kClients];
  Table tables[kClients];
  for (const Step& step : steps) {
    Connection& connection = connections[ClientOf(step)];
    Table& table = tables[ClientOf(step)];
    if (step.what & kVerdict) {
      if (!table.storing()) continue;
      const bool yes = (step.what & kYes) != 0;
      RequireSame(connection.Finish(yes ? Status::Ok() : Status::No("full")),
                  table.Finish(yes));
      continue;
    }
    const auto frame = reduction::DecodeFrame(step.frame);
    if (!frame.ok()) continue;
    const auto expected = table.Handle(*frame);
    std::optional<Bytes> handed;
    const auto answer = connection.Handle(
        *frame, kAllowance, [&](Bytes bytes, Connection::Sent sent) {
          Require(!handed);
          Require((sent == Connection::Sent::kRun) == table.storing());
          handed = std::move(bytes);
        });
    RequireSame(answer, expected);
    Require(handed == table.handed);
    Require((connection.state() == Connection::State::kStoring) ==
            table.storing());
  }
}

bool IsRun(const Bytes& bytes) { return bytes == ToBytes("a run"); }

// A side-car that stores runs of one kind, and its clients.
class Conversation {
 public:
  Conversation() {
    online_model::ReceiverOptions options;
    options.listen = "ipc://" + folder_.path() + "/socket";
    options.accept = [](const Bytes& bytes, const online_model::Sender&) {
      return IsRun(bytes) ? Status::Ok() : Status::BadInput("0: no run");
    };
    auto bound = online_model::Receiver::Bind(options);
    Require(bound.ok());
    receiver_.emplace(std::move(bound).value());
    thread_ = std::thread([this] { receiver_->Run(); });
    context_ = zmq_ctx_new();
    for (void*& socket : sockets_) {
      socket = zmq_socket(context_, ZMQ_DEALER);
      const int linger = 0;
      zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
      Require(zmq_connect(socket, receiver_->endpoint().c_str()) == 0);
    }
  }
  ~Conversation() {
    for (void* socket : sockets_) zmq_close(socket);
    zmq_ctx_term(context_);
    receiver_->Stop();
    thread_.join();
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  void Send(size_t client, const Bytes& frame, int flags = 0) {
    Require(zmq_send(sockets_[client], frame.data(), frame.size(), flags) >= 0);
  }
  WireFrame Hear(size_t client) {
    uint8_t answer[4096];
    int n;
    do {
      n = zmq_recv(sockets_[client], answer, sizeof answer, 0);
    } while (n < 0 && zmq_errno() == EINTR);  // libFuzzer looks at the time
    Require(n > 0 && n <= static_cast<int>(sizeof answer));
    const auto frame = reduction::DecodeFrame({answer, static_cast<size_t>(n)});
    Require(frame.ok());
    return *frame;
  }

 private:
  const ScratchFolder folder_;
  std::optional<online_model::Receiver> receiver_;
  std::thread thread_;
  void* context_ = nullptr;
  void* sockets_[kClients] = {};
};

void TrySockets(const std::vector<Step>& steps) {
  static Conversation conversation;
  Table tables[kClients];
  for (size_t i = 0; i < kClients; ++i) {  // forget what was said before
    conversation.Send(i, {0});
    Require(conversation.Hear(i).kind == FrameKind::kRefuse);
  }
  for (const Step& step : steps) {
    if (step.what & kVerdict) continue;  // it gives its own
    const size_t client = ClientOf(step);
    Table& table = tables[client];
    const bool two_parts = (step.what & kTwoParts) != 0;
    if (two_parts) conversation.Send(client, {1}, ZMQ_SNDMORE);
    conversation.Send(client, step.frame);
    const auto frame = reduction::DecodeFrame(step.frame);
    std::optional<WireFrame> expected;
    if (two_parts || !frame.ok()) {
      expected = table.Refuse();
    } else {
      expected = table.Handle(*frame);
      if (table.storing()) expected = table.Finish(IsRun(*table.handed));
    }
    RequireSame(conversation.Hear(client), expected);
  }
}

void AddFrame(uint8_t client, FrameKind kind, uint64_t sequence,
              std::string_view text, Bytes* input) {
  WireFrame f;
  f.kind = kind;
  f.sequence = sequence;
  f.job = f.program = text;
  f.ranks = 4;
  f.payload = ToBytes(text);
  f.reason = text;
  AddStep(client, reduction::EncodeFrame(f), input);
}

}  // namespace

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds(6);
  const auto add = [&](size_t seed, uint8_t client, FrameKind kind,
                       uint64_t sequence, std::string_view text = "") {
    AddFrame(client, kind, sequence, text, &seeds[seed]);
  };
  using enum FrameKind;
  for (const bool yes : {true, false}) {  // a run, stored or refused
    const size_t seed = yes ? 0 : 1;
    add(seed, 0, kHello, 0, "job");
    add(seed, 0, kSegment, 1, yes ? "a " : "no ");
    add(seed, 0, kSegment, 2, "run");
    add(seed, 0, kEnd, 2);
    AddStep(kVerdict | (yes ? kYes : 0), {}, &seeds[seed]);
    add(seed, 0, kEnd, 2);
  }
  // Out of order, twice, early and late ends.
  add(2, 1, kHello, 0, "job");
  for (const uint64_t n : {2, 1, 1, 3, 2}) add(2, 1, kSegment, n, "a run");
  for (const uint64_t n : {3, 2, 1}) add(2, 1, kEnd, n);
  // Epochs, then the run.
  add(3, 2, kHello, 0, "job");
  add(3, 2, kSegment, 1, "a");
  for (const uint64_t n : {2, 1, 0}) add(3, 2, kEpoch, n);
  add(3, 2, kSegment, 1, "a run");
  add(3, 2, kEnd, 1);
  add(3, 2, kEpoch, 1);
  // Two clients at once, one says hello for another job.
  for (const uint8_t client : {0, 1}) add(4, client, kHello, 0, "job");
  for (const uint8_t client : {0, 1}) add(4, client, kSegment, 1, "a run");
  add(4, 0, kHello, 0, "other");
  for (const uint8_t client : {0, 1}) add(4, client, kEnd, 1);
  // What clients do not say.
  for (const FrameKind kind : {kWelcome, kAck, kRefuse}) {
    add(5, 0, kHello, 0, "job");
    add(5, 0, kind, 1, "reason");
  }
  AddStep(kAsItIs, {0x52, 0x53, 0x57, 0x46, 3, 1, 0, 0, 0, 0}, &seeds[5]);
  AddFrame(kTwoParts, kSegment, 1, "a run", &seeds[5]);
  return seeds;
}

void Try(const std::vector<Step>& steps) {
  TryTable(steps);
  TrySockets(steps);
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ranksight::fuzz::Try(ranksight::fuzz::StepsOf(data, size));
  return 0;
}
