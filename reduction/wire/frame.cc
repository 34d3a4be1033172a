#include <string>
#include <utility>

#include "reduction/api/codec.h"
#include "reduction/api/wire.h"
#include "reduction/base/bytes.h"

namespace ranksight::reduction {
namespace {

constexpr uint8_t kFrameMagic[] = {'R', 'S', 'W', 'F'};
constexpr uint64_t kOverhead = sizeof kFrameMagic + 1 + 4;
constexpr uint64_t kMaxParams = 4096;

bool IsKnown(FrameKind kind) {
  switch (kind) {
    case FrameKind::kHello:
    case FrameKind::kSegment:
    case FrameKind::kEnd:
    case FrameKind::kEpoch:
    case FrameKind::kWelcome:
    case FrameKind::kAck:
    case FrameKind::kRefuse:
      return true;
  }
  return false;
}

void WriteHello(const WireFrame& f, ByteWriter* out) {
  out->Varint(f.version);
  out->String(f.job);
  out->String(f.program);
  out->String(f.build_id);
  out->U64(static_cast<uint64_t>(f.ranks));
  out->Varint(f.params.size());
  for (const auto& [name, value] : f.params) {
    out->String(name);
    out->String(value);
  }
}

std::string ReadName(ByteReader* in) {
  std::string name = in->String();
  if (name.size() > kMaxNameBytes) {
    in->Fail("a name of more than " + std::to_string(kMaxNameBytes) + " bytes");
  }
  return name;
}

void ReadHello(ByteReader* in, WireFrame* f) {
  f->version = static_cast<uint32_t>(in->Varint(UINT32_MAX, "a version"));
  f->job = ReadName(in);
  f->program = ReadName(in);
  f->build_id = ReadName(in);
  f->ranks = static_cast<int64_t>(in->U64());
  if (f->ranks < 0) in->Fail("ranks are negative");
  const uint64_t n = in->Varint(kMaxParams, "the number of parameters");
  for (uint64_t i = 0; i < n && in->ok(); ++i) {
    std::string name = ReadName(in);
    std::string value = in->String();
    if (!f->params.empty() && name <= f->params.rbegin()->first) {
      in->Fail("names are out of order");
    }
    f->params.emplace(std::move(name), std::move(value));
  }
}

void WriteBody(const WireFrame& f, ByteWriter* out) {
  switch (f.kind) {
    case FrameKind::kHello:
      return WriteHello(f, out);
    case FrameKind::kSegment:
      out->Varint(f.sequence);
      return out->Raw(f.payload);
    case FrameKind::kWelcome:
      out->Varint(f.version);
      return out->Varint(f.sequence);
    case FrameKind::kEnd:
    case FrameKind::kEpoch:
    case FrameKind::kAck:
      return out->Varint(f.sequence);
    case FrameKind::kRefuse:
      return out->String(f.reason);
  }
}

void ReadBody(ByteReader* in, WireFrame* f) {
  switch (f->kind) {
    case FrameKind::kHello:
      return ReadHello(in, f);
    case FrameKind::kSegment: {
      f->sequence = in->Varint();
      if (f->sequence == 0) in->Fail("segments count from 1");
      const auto rest = in->Raw(in->left());
      f->payload.assign(rest.begin(), rest.end());
      return;
    }
    case FrameKind::kWelcome:
      f->version = static_cast<uint32_t>(in->Varint(UINT32_MAX, "a version"));
      f->sequence = in->Varint();
      return;
    case FrameKind::kEnd:
    case FrameKind::kEpoch:
    case FrameKind::kAck:
      f->sequence = in->Varint();
      return;
    case FrameKind::kRefuse:
      f->reason = in->String();
      return;
  }
}

}  // namespace

std::vector<uint8_t> EncodeFrame(const WireFrame& frame) {
  ByteWriter out;
  out.Raw(kFrameMagic);
  out.U8(static_cast<uint8_t>(frame.kind));
  WriteBody(frame, &out);
  out.U32(Crc32c(out.bytes()));
  return out.Take();
}

Result<WireFrame> DecodeFrame(std::span<const uint8_t> bytes) {
  if (bytes.size() > kMaxFrameBytes) {
    return Status::BadInput("0: a frame is too large");
  }
  if (bytes.size() < kOverhead) {
    return Status::BadInput(std::to_string(bytes.size()) +
                            ": a frame ends too early");
  }
  // The checksum first: what is damaged is not looked at any further.
  const size_t body = bytes.size() - 4;
  ByteReader tail(bytes.subspan(body), body, 0);
  if (tail.U32() != Crc32c(bytes.first(body))) {
    return Status::BadInput(std::to_string(body) +
                            ": the checksum of a frame is wrong");
  }
  ByteReader in(bytes.first(body), 0, 0);
  for (const uint8_t byte : kFrameMagic) {
    if (in.U8() != byte) return Status::BadInput("0: not a frame");
  }
  WireFrame frame;
  frame.kind = static_cast<FrameKind>(in.U8());
  if (!IsKnown(frame.kind)) return Status::BadInput("4: unknown frame");
  ReadBody(&in, &frame);
  if (in.ok() && !in.at_end()) in.Fail("bytes after the end of a frame");
  if (!in.ok()) return in.status();
  return frame;
}

}  // namespace ranksight::reduction
