#include "cli/base/format.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ranksight::cli {
namespace {

TEST(Duration, HasThreeDigitsAndTheLargestUnitThatFits) {
  EXPECT_EQ(Duration(0), "0 s");
  EXPECT_EQ(Duration(812), "812 ns");
  EXPECT_EQ(Duration(4560), "4.56 us");
  EXPECT_EQ(Duration(45600), "45.6 us");
  EXPECT_EQ(Duration(1.234e6), "1.23 ms");
  EXPECT_EQ(Duration(12.34e9), "12.3 s");
  EXPECT_EQ(Duration(12345e9), "12345 s");
}

TEST(Duration, NeverRoundsToAThousandOfAUnit) {
  EXPECT_EQ(Duration(999.4), "999 ns");
  EXPECT_EQ(Duration(999.6), "1.00 us");
  EXPECT_EQ(Duration(999999), "1.00 ms");
}

TEST(Duration, OfNoNumberIsUnknown) { EXPECT_EQ(Duration(NAN), "unknown"); }

TEST(Timestamp, IsUtc) {
  EXPECT_EQ(Timestamp(int64_t{1000000000} * 1000000000),
            "2001-09-09 01:46:40 UTC");
  EXPECT_EQ(Timestamp(0), "unknown");
}

TEST(Table, AlignsColumnsAndLeavesNoBlanksAtLineEnds) {
  Table table({"<name", "n", "<note"});
  table.Add({"a", "1", ""});
  table.Add({"long", "1000", "x"});
  EXPECT_EQ(table.ToText(),
            "name     n  note\n"
            "a        1\n"
            "long  1000  x\n");
}

TEST(Table, KeepsEveryRowOnOneLine) {
  Table table({"<name", "n"});
  table.Add({"a\nb\tc", "1"});
  EXPECT_EQ(table.ToText(),
            "name   n\n"
            "a?b?c  1\n");
}

}  // namespace
}  // namespace ranksight::cli
