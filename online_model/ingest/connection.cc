#include "online_model/ingest/connection.h"

#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

using reduction::FrameKind;
using reduction::WireFrame;

WireFrame Ack(uint64_t sequence) {
  WireFrame frame;
  frame.kind = FrameKind::kAck;
  frame.sequence = sequence;
  return frame;
}

}  // namespace

void Connection::Forget() {
  state_ = State::kNew;
  hello_ = WireFrame();
  received_ = segments_ = bytes_received_ = epochs_ = 0;
  std::vector<uint8_t>().swap(bytes_);
}

WireFrame Connection::Refuse(const std::string& reason) {
  Forget();
  WireFrame frame;
  frame.kind = FrameKind::kRefuse;
  frame.reason = reason;
  return frame;
}

std::optional<WireFrame> Connection::Handle(const WireFrame& frame,
                                            uint64_t byte_allowance,
                                            const HandOver& hand_over) {
  if (frame.kind == FrameKind::kHello) return OnHello(frame);
  if (frame.kind != FrameKind::kSegment && frame.kind != FrameKind::kEnd &&
      frame.kind != FrameKind::kEpoch) {
    return Refuse("a client does not send this kind of frame");
  }
  if (state_ == State::kNew) return Refuse("hello is missing");
  if (frame.kind == FrameKind::kSegment) {
    return OnSegment(frame, byte_allowance);
  }
  if (frame.kind == FrameKind::kEpoch) return OnEpoch(frame, hand_over);
  return OnEnd(frame, hand_over);
}

WireFrame Connection::OnHello(const WireFrame& frame) {
  if (frame.version != reduction::kWireVersion) {
    return Refuse("version " + std::to_string(frame.version) +
                  " is not spoken here, " +
                  std::to_string(reduction::kWireVersion) + " is");
  }
  if (frame.ranks < 1) return Refuse("a run has at least one rank");
  // The same job again is a client that has connected anew, and what it has
  // sent stays.
  if (state_ == State::kNew || frame.job != hello_.job) {
    Forget();
    state_ = State::kReceiving;
    hello_ = frame;
  }
  WireFrame welcome;
  welcome.kind = FrameKind::kWelcome;
  welcome.version = reduction::kWireVersion;
  welcome.sequence = kCredit;
  return welcome;
}

WireFrame Connection::OnSegment(const WireFrame& frame,
                                uint64_t byte_allowance) {
  if (frame.sequence == 0) return Refuse("segments are numbered from 1");
  if (state_ != State::kReceiving || frame.sequence != received_ + 1) {
    return Ack(received_);
  }
  // Growing doubles the capacity at worst, and both copies live for a moment.
  if (bytes_.size() + frame.payload.size() > bytes_.capacity() &&
      2 * (bytes_.size() + frame.payload.size()) >
          byte_allowance + bytes_.capacity()) {
    return Refuse("the run is larger than this side-car takes");
  }
  bytes_.insert(bytes_.end(), frame.payload.begin(), frame.payload.end());
  received_ = frame.sequence;
  ++segments_;
  bytes_received_ += frame.payload.size();
  return Ack(received_);
}

std::optional<WireFrame> Connection::OnEnd(const WireFrame& frame,
                                           const HandOver& hand_over) {
  if (frame.sequence < received_) {
    return Refuse("the end names fewer segments than were sent");
  }
  if (frame.sequence > received_) return Ack(received_);
  if (state_ == State::kStored) return Ack(received_ + 1);
  if (state_ == State::kReceiving) {
    if (bytes_.empty()) return Refuse("the end of a run without any bytes");
    state_ = State::kStoring;
    std::vector<uint8_t> run;
    run.swap(bytes_);
    hand_over(std::move(run), Sent::kRun);
  }
  return std::nullopt;
}

WireFrame Connection::OnEpoch(const WireFrame& frame,
                              const HandOver& hand_over) {
  if (state_ != State::kReceiving) {
    return Refuse("an epoch comes before the end of its run");
  }
  if (frame.sequence < received_) {
    return Refuse("the epoch names fewer segments than were sent");
  }
  if (frame.sequence > received_) return Ack(received_);
  std::vector<uint8_t> so_far;
  so_far.swap(bytes_);
  const uint64_t segments = std::exchange(received_, 0);
  ++epochs_;
  hand_over(std::move(so_far), Sent::kEpoch);
  return Ack(segments + 1);
}

WireFrame Connection::Finish(const reduction::Status& verdict) {
  RANKSIGHT_REQUIRE(state() == State::kStoring);
  if (!verdict.ok()) return Refuse(verdict.message());
  state_ = State::kStored;
  return Ack(received_ + 1);
}

}  // namespace ranksight::online_model
