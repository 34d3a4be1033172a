#include "cli/base/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>

namespace ranksight::cli {
namespace {

// What is written to `end` of a terminal or pipe can be read from `other`.
struct Line {
  int other = -1, end = -1;
  ~Line() {
    ::close(other);
    ::close(end);
  }
  // Everything written until now.
  std::string Read() const {
    ::fcntl(other, F_SETFL, O_NONBLOCK);
    std::string text;
    std::array<char, 256> part;
    for (ssize_t n; (n = ::read(other, part.data(), part.size())) > 0;) {
      text.append(part.data(), size_t(n));
    }
    return text;
  }
  // Waits for the first byte.
  char First() const {
    char c = 0;
    EXPECT_EQ(::read(other, &c, 1), 1);
    return c;
  }
};

Line Terminal() {
  Line line;
  line.other = ::posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_GE(line.other, 0);
  EXPECT_EQ(::grantpt(line.other), 0);
  EXPECT_EQ(::unlockpt(line.other), 0);
  line.end = ::open(::ptsname(line.other), O_RDWR | O_NOCTTY);
  EXPECT_GE(line.end, 0);
  return line;
}

TEST(Progress, SaysOnATerminalWhatIsDoneAndTakesItAway) {
  const Line line = Terminal();
  std::string shown;
  {
    const Progress progress("counting", std::chrono::milliseconds(0), line.end);
    shown += line.First();
  }
  shown += line.Read();
  EXPECT_NE(shown.find("ranksight: counting, 0 s"), std::string::npos);
  EXPECT_TRUE(shown.ends_with("\r\033[K"));
}

TEST(Progress, SaysNothingOfShortWork) {
  const Line line = Terminal();
  { const Progress progress("counting", std::chrono::hours(1), line.end); }
  EXPECT_EQ(line.Read(), "");
}

TEST(Progress, SaysNothingWhereThereIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const Line line{ends[0], ends[1]};
  {
    const Progress progress("counting", std::chrono::milliseconds(0), line.end);
  }
  EXPECT_EQ(line.Read(), "");
}

TEST(Progress, HandsOnWhatTheWorkGives) {
  EXPECT_EQ(WithProgress("counting", [] { return 42; }), 42);
}

}  // namespace
}  // namespace ranksight::cli
