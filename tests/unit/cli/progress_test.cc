#include "cli/base/progress.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/terminal.h"

namespace ranksight::cli {
namespace {

using testing::Line;
using testing::Terminal;

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
