// Names in quotes and comments, read as those languages say that they are read.
#include "adapters/base/quoted_text.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>

#include "reduction/api/shown_text.h"

namespace ranksight::adapters {
namespace {

// Any bytes, and often those that mean something to one of the readers.
std::string HostileText(std::mt19937* random) {
  constexpr std::string_view kLikely = "*/\\\"?'=+-@,\n\r\t /*?\?/a";
  std::string text;
  for (uint32_t left = (*random)() % 40; left > 0; --left) {
    const uint32_t pick = (*random)();
    text += pick % 3 == 0 ? char(pick >> 8) : kLikely[pick % kLikely.size()];
  }
  return text;
}

// RFC 8259: what a string stands for, as long as it is one and nothing follows.
std::optional<std::string> ReadJsonText(std::string_view text) {
  if (text.size() < 2 || text[0] != '"') return std::nullopt;
  std::string value;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      return i + 1 == text.size() ? std::optional(value) : std::nullopt;
    }
    if (uint8_t(text[i]) < 0x20) return std::nullopt;
    if (text[i] == '\\') {
      if (++i == text.size() || (text[i] != '"' && text[i] != '\\')) {
        return std::nullopt;
      }
    }
    value += text[i];
  }
  return std::nullopt;
}

// RFC 4180: one field in quotes.
std::optional<std::string> ReadCsvText(std::string_view text) {
  if (text.size() < 2 || text[0] != '"') return std::nullopt;
  std::string value;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      if (i + 1 == text.size()) return value;
      if (text[++i] != '"') return std::nullopt;
    }
    value += text[i];
  }
  return std::nullopt;
}

// The first phases of translation of C: trigraphs, then lines that a backslash
// joins.
std::string JoinedLines(std::string all) {
  const auto replace_all = [&all](const std::string& from,
                                  const std::string& to) {
    for (size_t at = 0; (at = all.find(from, at)) != all.npos;) {
      all.replace(at, from.size(), to);
    }
  };
  for (const auto& [third, means] :
       {std::pair('/', "\\"), {'(', "["}, {')', "]"}, {'=', "#"}, {'<', "{"}}) {
    replace_all(std::string("?\?") + third, means);
  }
  replace_all("\\\n", "");
  return all;
}

// Whether /* text */ is one comment and all of it, and // text leaves the next
// line alone.
bool IsOneComment(const std::string& text) {
  const std::string block = JoinedLines("/* " + text + " */");
  const std::string line = JoinedLines("// " + text + "\ncode");
  return block.find("*/", 2) == block.size() - 2 &&
         block.find("/*", 2) == block.npos && line.ends_with("\ncode");
}

TEST(QuotedText, JsonReadsAsTheNameThatIsShown) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::string name = HostileText(&random);
    EXPECT_EQ(ReadJsonText(JsonText(name)), reduction::ShownName(name));
  }
}

TEST(QuotedText, CsvReadsAsTheNameThatIsShownAndAsNoFormula) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    const std::string name = HostileText(&random);
    const std::string shown = reduction::ShownName(name);
    const auto read = ReadCsvText(CsvText(name));
    ASSERT_TRUE(read) << name;
    const bool formula =
        !read->empty() &&
        std::string_view("=+-@").find(read->front()) != std::string_view::npos;
    EXPECT_FALSE(formula) << *read;
    EXPECT_TRUE(*read == shown || *read == " " + shown) << *read;
  }
}

TEST(QuotedText, ACommentEndsWhereItsWriterEndsIt) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const std::string name = HostileText(&random);
    EXPECT_TRUE(IsOneComment(CCommentText(name))) << CCommentText(name);
  }
}

TEST(QuotedText, PlainNamesStayAsTheyAre) {
  EXPECT_EQ(JsonText("a b.c"), "\"a b.c\"");
  EXPECT_EQ(CsvText("a, b"), "\"a, b\"");
  EXPECT_EQ(CCommentText("a * b / c"), "a * b / c");
}

}  // namespace
}  // namespace ranksight::adapters
