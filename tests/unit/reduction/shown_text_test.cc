#include "reduction/api/shown_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ranksight::reduction {
namespace {

TEST(Harmless, LeavesTextAsItIs) {
  const std::string text = "a\tb\n\u00e9 \u00a0 \u20ac \U0001f600";
  EXPECT_EQ(Harmless(text), text);
  EXPECT_EQ(Harmless(""), "");
}

TEST(Harmless, TakesOutWhatATerminalObeys) {
  EXPECT_EQ(Harmless("a\x1b[2J\x07\r\x7f"), "a?[2J???");
  // The same introduced by one character, as UTF-8 and as a byte.
  EXPECT_EQ(Harmless("\u009b2J"), "?2J");
  EXPECT_EQ(Harmless("\x9b"
                     "2J"),
            "?2J");
}

TEST(Harmless, TakesOutWhatTurnsTextAround) {
  // RLO, PDF, the isolates, the marks; line and paragraph separators.
  EXPECT_EQ(Harmless("a\u202eb\u202c\u2066\u2069\u200e\u200f\u061c"),
            "a?b??????");
  EXPECT_EQ(Harmless("a\u2028b\u2029"), "a?b?");
  // Their neighbours stay.
  const std::string near = "\u200d\u2010\u2027\u202f\u2065\u206a\u061b\u061d";
  EXPECT_EQ(Harmless(near), near);
}

TEST(ShownName, IsOneLine) {
  EXPECT_EQ(ShownName("a\nb\tc\x1b[0m\u202e\xff"), "a?b?c?[0m??");
  EXPECT_EQ(ShownName("caf\u00e9 *"), "caf\u00e9 *");
  EXPECT_EQ(ShownName(""), "");
}

TEST(Harmless, EveryPairOfBytesHoldsNoControlCharacter) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string text = {static_cast<char>(a), static_cast<char>(b)};
      const std::string out = Harmless(text);
      for (size_t i = 0; i < out.size(); ++i) {
        const auto c = static_cast<unsigned char>(out[i]);
        ASSERT_TRUE(c >= 0x20 || c == '\n' || c == '\t') << a << ' ' << b;
        ASSERT_NE(c, 0x7f);
        if (c < 0x80) continue;
        // Only whole characters of two bytes above the C1 controls are left.
        ASSERT_EQ(i, 0u);
        ASSERT_EQ(out, text);
        ASSERT_GE((c & 0x1f) << 6 | (b & 0x3f), 0xa0);
        break;
      }
    }
  }
}

TEST(ShownBytes, HasThreeDigitsAndAUnit) {
  EXPECT_EQ(ShownBytes(0), "0 B");
  EXPECT_EQ(ShownBytes(1023), "1023 B");
  EXPECT_EQ(ShownBytes(1024), "1.00 KiB");
  EXPECT_EQ(ShownBytes(1536.0 * 1024), "1.50 MiB");
  EXPECT_EQ(ShownBytes(12.34 * 1024 * 1024), "12.3 MiB");
  EXPECT_EQ(ShownBytes(1023.9 * 1024), "1.00 MiB");
  EXPECT_EQ(ShownBytes(64.0 * (1 << 30)), "64.0 GiB");
  EXPECT_EQ(ShownBytes(INFINITY), "unknown");
}

}  // namespace
}  // namespace ranksight::reduction
