#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/wire.h"
#include "tests/fuzz/mend.h"

namespace ranksight::reduction {
namespace {

WireFrame Hello() {
  WireFrame f;
  f.kind = FrameKind::kHello;
  f.job = "1763688896-node0017-48213";
  f.program = "stencil2d";
  f.build_id = "3f78";
  f.ranks = 64;
  f.params = {{"n", "4096"}, {"periodic", "1"}};
  return f;
}

WireFrame Numbered(FrameKind kind, uint64_t sequence) {
  WireFrame f;
  f.kind = kind;
  f.sequence = sequence;
  return f;
}

std::vector<WireFrame> AllKinds() {
  WireFrame segment = Numbered(FrameKind::kSegment, 300);
  segment.payload = {1, 2, 3, 0, 255};
  WireFrame refuse;
  refuse.kind = FrameKind::kRefuse;
  refuse.reason = "wire version 9 is not known";
  return {Hello(),
          segment,
          Numbered(FrameKind::kEnd, 3),
          Numbered(FrameKind::kEpoch, 2),
          Numbered(FrameKind::kWelcome, 8),
          Numbered(FrameKind::kAck, uint64_t{1} << 60),
          refuse};
}

TEST(Frame, EveryKindComesBack) {
  for (const WireFrame& f : AllKinds()) {
    const Result<WireFrame> back = DecodeFrame(EncodeFrame(f));
    ASSERT_TRUE(back.ok()) << back.status().message();
    EXPECT_TRUE(*back == f) << int(f.kind);
  }
}

// WIRE.md: names have at most 256 bytes, values what a frame has room for.
TEST(Frame, AHelloWithALongerNameIsRefused) {
  const std::string longest(256, 'n'), longer(257, 'n');
  const auto with = [](const std::string& name, int which) {
    WireFrame f = Hello();
    if (which == 3) f.params = {{name, "1"}};
    if (which < 3) *std::array{&f.job, &f.program, &f.build_id}[which] = name;
    return DecodeFrame(EncodeFrame(f));
  };
  for (int which = 0; which < 4; ++which) {
    EXPECT_TRUE(with(longest, which).ok()) << which;
    const Result<WireFrame> refused = with(longer, which);
    ASSERT_FALSE(refused.ok()) << which;
    EXPECT_NE(refused.status().message().find("256 bytes"), std::string::npos);
  }
  WireFrame f = Hello();
  f.params = {{"n", std::string(5000, 'v')}};
  EXPECT_TRUE(DecodeFrame(EncodeFrame(f)).ok());
}

// The worked example of WIRE.md.
TEST(Frame, AnAcknowledgementHasTheBytesOfTheDocument) {
  const std::vector<uint8_t> bytes = EncodeFrame(Numbered(FrameKind::kAck, 5));
  const std::vector<uint8_t> begin = {'R', 'S', 'W', 'F', 17, 5};
  ASSERT_EQ(bytes.size(), 10u);
  EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.begin() + 6), begin);
  const uint32_t crc = Crc32c(begin);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(bytes[size_t(6 + i)], uint8_t(crc >> (8 * i)));
  }
}

TEST(Frame, TruncationAnywhereIsAnError) {
  for (const WireFrame& f : AllKinds()) {
    const std::vector<uint8_t> bytes = EncodeFrame(f);
    for (size_t n = 0; n < bytes.size(); ++n) {
      const Result<WireFrame> r = DecodeFrame(std::span(bytes).first(n));
      ASSERT_FALSE(r.ok()) << n;
      EXPECT_EQ(r.status().code(), StatusCode::kBadInput);
      EXPECT_TRUE(isdigit(r.status().message()[0])) << r.status().message();
    }
  }
}

TEST(Frame, AnyFlippedBitIsAnError) {
  for (const WireFrame& f : AllKinds()) {
    std::vector<uint8_t> bytes = EncodeFrame(f);
    for (size_t i = 0; i < 8 * bytes.size(); ++i) {
      bytes[i / 8] ^= uint8_t(1 << i % 8);
      EXPECT_FALSE(DecodeFrame(bytes).ok()) << i;
      bytes[i / 8] ^= uint8_t(1 << i % 8);
    }
  }
}

TEST(Frame, ChangesBehindAValidChecksumGiveAnErrorOrTheSameBytesAgain) {
  for (const WireFrame& f : AllKinds()) {
    const std::vector<uint8_t> bytes = EncodeFrame(f);
    for (size_t i = 0; i + 4 < bytes.size(); ++i) {
      for (int v = 0; v < 256; ++v) {
        std::vector<uint8_t> changed = bytes;
        changed[i] = uint8_t(v);
        testing::MendFrame(&changed);
        const Result<WireFrame> r = DecodeFrame(changed);
        EXPECT_TRUE(!r.ok() || EncodeFrame(*r) == changed) << i << "=" << v;
      }
    }
  }
}

TEST(Frame, SegmentsCountFromOne) {
  EXPECT_FALSE(DecodeFrame(EncodeFrame(Numbered(FrameKind::kSegment, 0))).ok());
}

TEST(Frame, TooLargeFramesAreRefusedUnread) {
  const std::vector<uint8_t> bytes(kMaxFrameBytes + 1);
  EXPECT_EQ(DecodeFrame(bytes).status().message(), "0: a frame is too large");
}

TEST(Endpoint, IsAHostWithAPortOrThePathOfASocket) {
  for (const char* good :
       {"tcp://127.0.0.1:5570", "tcp://login-1.cluster.example.org:1",
        "tcp://[::1]:65535", "tcp://[fe80::1%eth0]:2", "ipc:///tmp/a",
        "ipc://socket"}) {
    EXPECT_TRUE(CheckEndpoint(good).ok()) << good;
  }
  for (const char* bad : {"",
                          "foo",
                          "tpc://foo",
                          "tcp://",
                          "tcp://a",
                          "tcp://a:",
                          "tcp://:1",
                          "tcp://a:0",
                          "tcp://a:65536",
                          "tcp://a:1x",
                          "tcp://a:-1",
                          "tcp://*:1",
                          "tcp://a b:1",
                          "tcp://a;b:1",
                          "tcp://[]:1",
                          "ipc://",
                          "ipc://@a",
                          "ipc://*",
                          "inproc://a",
                          "pgm://a;b:1",
                          "TCP://a:1"}) {
    EXPECT_EQ(CheckEndpoint(bad).code(), StatusCode::kUsage) << bad;
  }
  EXPECT_FALSE(CheckEndpoint("ipc://" + std::string(108, 'a')).ok());
}

}  // namespace
}  // namespace ranksight::reduction
