#include "adapters/c_mpi/wrapped_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>

namespace ranksight::adapters::c_mpi {
namespace {

constexpr size_t kLongestLine = 80;

// A call with so many arguments of up to so many letters.
std::string CallWith(int arguments, uint32_t letters, std::mt19937* random) {
  std::string text = "MPI_Function(";
  for (int i = 0; i < arguments; ++i) {
    if (i > 0) text += ", ";
    text += std::string(1 + (*random)() % letters, char('a' + i % 26));
  }
  return text + ");";
}

// Lines without their margins, with the blank that each break took.
std::string Joined(const std::string& lines) {
  std::istringstream all(lines);
  std::string text;
  for (std::string line; std::getline(all, line);) {
    if (!text.empty()) text += ' ';
    text += line.substr(line.find_first_not_of(' '));
  }
  return text;
}

TEST(WrappedText, SaysTheSameOnShortLines) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const std::string text = CallWith(1 + round % 40, 30, &random);
    const size_t indent = 2 * (random() % 6);
    const std::string lines = Wrapped(text, indent);
    EXPECT_EQ(Joined(lines), text);
    ASSERT_EQ(lines.back(), '\n');
    std::istringstream all(lines);
    size_t number = 0, before = kLongestLine;
    for (std::string line; std::getline(all, line); ++number) {
      EXPECT_LE(line.size(), kLongestLine) << line;
      EXPECT_NE(line.back(), ' ') << line;
      const size_t margin = number == 0 ? indent : indent + 4;
      EXPECT_EQ(line.find_first_not_of(' '), margin) << line;
      // Its first word had no room on the line before.
      const size_t word =
          std::min(line.find(','), line.size() - 1) + 1 - margin;
      EXPECT_GT(before + 1 + word, kLongestLine) << line;
      before = line.size();
    }
  }
}

TEST(WrappedText, BreaksNoLineThatFits) {
  const std::string head = "f(a, ";
  for (size_t spare = 0; spare < 3; ++spare) {
    const std::string text =
        head + std::string(kLongestLine - head.size() - 1 - spare, 'b') + ";";
    EXPECT_EQ(Wrapped(text, 0), text + "\n");
  }
  const std::string one_more =
      head + std::string(kLongestLine - head.size(), 'b') + ";";
  EXPECT_EQ(Wrapped(one_more, 0), "f(a,\n    " + one_more.substr(5) + "\n");
}

TEST(WrappedText, AWordLongerThanALineStaysWhole) {
  const std::string word(200, 'w');
  EXPECT_EQ(Wrapped(word + ";", 2), "  " + word + ";\n");
}

}  // namespace
}  // namespace ranksight::adapters::c_mpi
