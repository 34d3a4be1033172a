// Any answers of a side-car to a run that sends its trace, at the end and at an
// epoch: the trace counts as taken where every answer is what
// reduction/WIRE.md says, and never is more under way than it gave credit for.
//
// The input is answers as steps (steps.h).
#include <algorithm>
#include <optional>
#include <span>

#include "reduction/api/wire.h"
#include "runtime/egress/epoch_stream.h"
#include "runtime/egress/stream.h"
#include "tests/fuzz/steps.h"

namespace ranksight::fuzz {
namespace {

using reduction::FrameKind;
using reduction::WireFrame;

constexpr size_t kSegments = 3, kSegmentBytes = 256 << 10;
constexpr size_t kEpochSegmentBytes = 64 << 10;
constexpr const char* kEndpoint = "tcp://side-car:1";
struct AnswersEnd {};

// What ZeroMQ would hand over, and what it was given.
std::vector<Step> answers;
size_t heard = 0;
std::vector<WireFrame> sent;

std::optional<WireFrame> Answer(size_t i) {
  if (i >= answers.size()) return std::nullopt;
  auto frame = reduction::DecodeFrame(answers[i].frame);
  if (!frame.ok()) return std::nullopt;
  return *frame;
}

// Its credit, 0 for none.
uint64_t Welcome() {
  const auto first = Answer(0);
  return first && first->kind == FrameKind::kWelcome &&
                 first->version == reduction::kWireVersion
             ? std::max<uint64_t>(first->sequence, 1)
             : 0;
}

// How many answers from the second on acknowledge 1, 2, 3 and so on.
uint64_t Acknowledged() {
  uint64_t n = 0;
  for (;; ++n) {
    const auto next = Answer(1 + n);
    if (!next || next->kind != FrameKind::kAck || next->sequence != n + 1) {
      return n;
    }
  }
}

void Begin() {
  heard = 0;
  sent.clear();
}

void TryStream() {
  Begin();
  const Bytes trace(kSegments * kSegmentBytes - 1, 7);
  const bool taken = runtime::Stream(trace, {}, kEndpoint).ok();
  Require(taken == (Welcome() != 0 && Acknowledged() > kSegments));
  Require(!sent.empty() && sent.size() <= kSegments + 2);
}

void TryEpoch() {
  Begin();
  const auto stream = runtime::EpochStream::Open(kEndpoint);
  Require(stream != nullptr);
  const Bytes trace(kSegments * kEpochSegmentBytes - 1, 7);
  const auto yield = [] {
    if (heard >= answers.size()) throw AnswersEnd();
    // No more than the credit from those heard on.
    const uint64_t credit = Welcome();
    const uint64_t acknowledged = heard == 0 ? 0 : heard - 1;
    Require(sent.size() <= 1 || sent.size() - 1 - acknowledged <= credit);
  };
  try {
    stream->Send(trace, {}, yield);
  } catch (const AnswersEnd&) {
    return;
  }
  const Bytes whole = [&] {
    Bytes bytes;
    for (const WireFrame& f : sent) {
      bytes.insert(bytes.end(), f.payload.begin(), f.payload.end());
    }
    return bytes;
  }();
  const bool taken =
      Welcome() != 0 && Answer(0)->sequence > 0 && Acknowledged() > kSegments;
  if (taken) Require(whole == trace && sent.back().kind == FrameKind::kEpoch);
  // A second epoch follows at once where the first was taken, and only there.
  const size_t before = sent.size();
  try {
    stream->Send(trace, {}, yield);
  } catch (const AnswersEnd&) {
  }
  Require((sent.size() > before) == taken);
}

void* Something() { return &answers; }

}  // namespace

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds;
  const auto add = [](FrameKind kind, uint64_t sequence, Bytes* seed) {
    WireFrame f;
    f.kind = kind;
    f.version = reduction::kWireVersion;
    f.sequence = sequence;
    f.reason = "no";
    AddStep(0, reduction::EncodeFrame(f), seed);
  };
  for (const uint64_t credit : {uint64_t{1}, uint64_t{2}, ~uint64_t{0}}) {
    Bytes& seed = seeds.emplace_back();
    add(FrameKind::kWelcome, credit, &seed);
    for (uint64_t n = 1; n <= kSegments + 1; ++n) {
      add(FrameKind::kAck, n, &seed);
    }
  }
  for (const FrameKind kind : {FrameKind::kRefuse, FrameKind::kAck}) {
    add(kind, 1, &seeds.emplace_back());
    Bytes& seed = seeds.emplace_back();
    add(FrameKind::kWelcome, 8, &seed);
    add(kind, 2, &seed);
  }
  return seeds;
}

}  // namespace ranksight::fuzz

namespace ranksight::runtime {

// In place of the one that opens ZeroMQ.
const ZmqLibrary* LoadZmq() {
  static const ZmqLibrary library = {
      .ctx_new = fuzz::Something,
      .ctx_term = [](void*) { return 0; },
      .socket = [](void*, int) { return fuzz::Something(); },
      .close = [](void*) { return 0; },
      .setsockopt = [](void*, int, const void*, size_t) { return 0; },
      // Nothing is known of the connection.
      .socket_monitor = [](void*, const char*, int) { return -1; },
      .connect = [](void*, const char*) { return 0; },
      .send =
          [](void*, const void* data, size_t size, int) {
            const auto frame = reduction::DecodeFrame(
                {static_cast<const uint8_t*>(data), size});
            fuzz::Require(frame.ok());
            fuzz::sent.push_back(*frame);
            return static_cast<int>(size);
          },
      .recv =
          [](void*, void* into, size_t size, int) {
            if (fuzz::heard >= fuzz::answers.size()) return -1;
            const fuzz::Bytes& answer = fuzz::answers[fuzz::heard++].frame;
            std::copy_n(answer.begin(), std::min(size, answer.size()),
                        static_cast<uint8_t*>(into));
            return static_cast<int>(answer.size());
          },
  };
  return &library;
}

}  // namespace ranksight::runtime

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  fuzz::answers = fuzz::StepsOf(data, size);
  fuzz::TryStream();
  fuzz::TryEpoch();
  return 0;
}
