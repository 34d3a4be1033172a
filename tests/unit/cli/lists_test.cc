#include "cli/base/lists.h"

#include <gtest/gtest.h>

namespace ranksight::cli {
namespace {

using reduction::StatusCode;
using Numbers = std::vector<int64_t>;
using Words = std::vector<std::string>;

TEST(ParseRankList, TakesNumbersInTheirOrder) {
  EXPECT_EQ(*ParseRankList("4,9,16"), (Numbers{4, 9, 16}));
  EXPECT_EQ(*ParseRankList("64"), (Numbers{64}));
  EXPECT_EQ(*ParseRankList("16,4"), (Numbers{16, 4}));
}

TEST(ParseRankList, RefusesEverythingElse) {
  for (const char* text :
       {"", ",", "4,", ",4", "4,,9", "4 9", "0", "-4", "4x9", "four", "4.5",
        "+4", "99999999999999999999", "1099511627777"}) {
    const auto result = ParseRankList(text);
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_EQ(result.status().code(), StatusCode::kUsage) << text;
    EXPECT_NE(result.status().message().find(text), std::string::npos);
  }
}

TEST(DropRepeated, KeepsTheFirstOfEach) {
  Numbers numbers = {16, 4, 16, 9, 4};
  DropRepeated(&numbers);
  EXPECT_EQ(numbers, (Numbers{16, 4, 9}));
}

TEST(ParseShape, SidesAreSeparatedByX) {
  EXPECT_EQ(*ParseShape("32x32"), (Numbers{32, 32}));
  EXPECT_EQ(*ParseShape("4x4x4x4x2"), (Numbers{4, 4, 4, 4, 2}));
  EXPECT_FALSE(ParseShape("32,32").ok());
  EXPECT_FALSE(ParseShape("32x").ok());
}

TEST(SplitWords, BlanksSeparate) {
  EXPECT_EQ(*SplitWords("  mpiexec \t-n 4\n"), (Words{"mpiexec", "-n", "4"}));
  EXPECT_EQ(*SplitWords(""), Words{});
}

TEST(SplitWords, QuotesKeepBlanksAndMayBeEmpty) {
  EXPECT_EQ(*SplitWords("a 'b c' \"d e\"f ''"),
            (Words{"a", "b c", "d ef", ""}));
}

TEST(ShellWord, IsReadAgainAsItWas) {
  EXPECT_EQ(ShellWord("./app"), "./app");
  for (const std::string word : {"a b", "it's", "", "$x;`y`", "{ranks}",
                                 "--n=4", "~", "*", "\xc3\xa4"}) {
    EXPECT_EQ(*SplitWords(ShellWord(word)), Words{word}) << ShellWord(word);
  }
}

TEST(SplitWords, BackslashKeepsTheNextCharacterOutsideSingleQuotes) {
  EXPECT_EQ(*SplitWords(R"(a\ b "c\"d" 'e\f' "g\h")"),
            (Words{"a b", "c\"d", "e\\f", "g\\h"}));
}

TEST(SplitWords, AnOpenQuoteIsWrongUsage) {
  EXPECT_EQ(SplitWords("a 'b").status().code(), StatusCode::kUsage);
  EXPECT_EQ(SplitWords("\"").status().code(), StatusCode::kUsage);
}

TEST(ExpandLauncher, EveryMarkBecomesTheRankCount) {
  EXPECT_EQ(*ExpandLauncher("run -n {ranks} --tag=p{ranks}of{ranks}", 16),
            (Words{"run", "-n", "16", "--tag=p16of16"}));
}

TEST(ExpandLauncher, WithoutAMarkTheRankCountIsAdded) {
  EXPECT_EQ(*ExpandLauncher("mpiexec -q", 9),
            (Words{"mpiexec", "-q", "-n", "9"}));
}

TEST(ExpandLauncher, AnEmptyLauncherIsWrongUsage) {
  EXPECT_EQ(ExpandLauncher(" ", 9).status().code(), StatusCode::kUsage);
}

TEST(JoinNumbers, PutsTheSeparatorBetween) {
  EXPECT_EQ(JoinNumbers({10, 10}, "x"), "10x10");
  EXPECT_EQ(JoinNumbers({}, "x"), "");
}

TEST(ReplaceInWords, EveryMarkAndNothingElse) {
  Words words = {"run", "--map={m}:{m}", "{m}", "{n}"};
  EXPECT_EQ(ReplaceInWords("{m}", "my {m} file", &words), 3);
  EXPECT_EQ(words, (Words{"run", "--map=my {m} file:my {m} file", "my {m} file",
                          "{n}"}));
  EXPECT_EQ(ReplaceInWords("{x}", "y", &words), 0);
}

}  // namespace
}  // namespace ranksight::cli
