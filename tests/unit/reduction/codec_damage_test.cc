// Damaged traces: an error that says where, or a valid trace. Checksums
// catch nearly everything from outside, so half of the tests mend them.
#include <gtest/gtest.h>

#include <cctype>
#include <random>
#include <string>
#include <vector>

#include "reduction/api/codec.h"
#include "tests/fuzz/mend.h"
#include "tests/unit/reduction/random_trace.h"

namespace ranksight::reduction {
namespace {

using testing::RandomTrace;
using testing::StencilTrace;

using Bytes = std::vector<uint8_t>;

Bytes SmallTrace(SketchForm form) {
  return Encode(StencilTrace(2, 3, false).Make(), form);
}

// What decodes must be valid: it can be encoded and decoded again.
void ExpectErrorOrValid(const Bytes& bytes, const std::string& what) {
  const Result<Trace> trace = Decode(bytes);
  if (trace.ok()) {
    const Result<Trace> again = Decode(Encode(*trace, SketchForm::kFull));
    ASSERT_TRUE(again.ok()) << what << ": " << again.status().message();
    EXPECT_TRUE(*again == *trace) << what;
    return;
  }
  EXPECT_EQ(trace.status().code(), StatusCode::kBadInput) << what;
  const std::string& message = trace.status().message();
  const size_t digits = message.find_first_not_of("0123456789");
  EXPECT_GT(digits, 0u) << what << ": " << message;
  EXPECT_EQ(message.substr(digits, 2), ": ") << what << ": " << message;
}

TEST(CodecDamage, TruncationAnywhereIsAnError) {
  for (const SketchForm form : {SketchForm::kFull, SketchForm::kQuantiles}) {
    const Bytes bytes = SmallTrace(form);
    ASSERT_TRUE(Decode(bytes).ok());
    for (size_t n = 0; n < bytes.size(); ++n) {
      const Bytes cut(bytes.begin(), bytes.begin() + long(n));
      EXPECT_FALSE(Decode(cut).ok()) << n;
      EXPECT_FALSE(DecodeHead(cut).ok()) << n;
      ExpectErrorOrValid(cut, "cut at " + std::to_string(n));
    }
  }
}

TEST(CodecDamage, AnyFlippedBitIsAnError) {
  Bytes bytes = SmallTrace(SketchForm::kQuantiles);
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] ^= uint8_t(1 << bit);
      EXPECT_FALSE(Decode(bytes).ok()) << i << " bit " << bit;
      EXPECT_FALSE(DecodeHead(bytes).ok()) << i << " bit " << bit;
      bytes[i] ^= uint8_t(1 << bit);
    }
  }
}

TEST(CodecDamage, ChangesBehindValidChecksumsGiveAnErrorOrAValidTrace) {
  for (const SketchForm form : {SketchForm::kFull, SketchForm::kQuantiles}) {
    const Bytes bytes = SmallTrace(form);
    for (size_t i = 0; i < bytes.size(); ++i) {
      for (const int v : {0, 1, 2, 7, 0x7f, 0x80, 0xff, bytes[i] ^ 1}) {
        Bytes changed = bytes;
        changed[i] = uint8_t(v);
        testing::MendChecksums(&changed);
        ExpectErrorOrValid(changed,
                           std::to_string(i) + "=" + std::to_string(v));
      }
    }
  }
}

TEST(CodecDamage, RandomChangesBehindValidChecksumsGiveAnErrorOrAValidTrace) {
  std::mt19937 rng(11);
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const Bytes bytes = Encode(RandomTrace(seed).Make(), SketchForm::kFull);
    if (bytes.size() > 20000) continue;
    for (int i = 0; i < 60; ++i) {
      Bytes changed = bytes;
      for (unsigned n = 1 + rng() % 3; n > 0; --n) {
        changed[rng() % changed.size()] = uint8_t(rng());
      }
      testing::MendChecksums(&changed);
      ExpectErrorOrValid(changed, std::to_string(seed));
    }
  }
}

TEST(CodecDamage, BytesAfterTheEndAreAnError) {
  Bytes bytes = SmallTrace(SketchForm::kFull);
  bytes.push_back(0);
  EXPECT_FALSE(Decode(bytes).ok());
}

TEST(CodecDamage, ForeignFilesAreNamedAsSuch) {
  const std::string text = "#!/bin/sh\necho no trace here\n";
  const Result<Trace> trace = Decode(Bytes(text.begin(), text.end()));
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.status().message(), "0: not a trace file");
}

TEST(CodecDamage, AnUnknownVersionIsNamed) {
  for (const int version : {0, 3, 5}) {
    Bytes bytes = SmallTrace(SketchForm::kFull);
    bytes[8] = uint8_t(version);
    const Result<Trace> trace = Decode(bytes);
    ASSERT_FALSE(trace.ok());
    EXPECT_EQ(trace.status().message(),
              "9: format version " + std::to_string(version) + " is not known");
  }
}

}  // namespace
}  // namespace ranksight::reduction
