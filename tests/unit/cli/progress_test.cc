#include "cli/base/progress.h"

#include <gtest/gtest.h>
#include <sys/ioctl.h>

#include "tests/unit/cli/terminal.h"

namespace ranksight::cli {
namespace {

using testing::Line;
using testing::ShowsAge;
using testing::Terminal;

TEST(Progress, SaysOnATerminalWhatIsDoneAndTakesItAway) {
  const Line line = Terminal();
  std::string shown;
  {
    const Progress progress("counting", std::chrono::milliseconds(0), line.end);
    shown += line.First();
  }
  shown += line.Read();
  EXPECT_TRUE(ShowsAge(shown, "ranksight: counting")) << shown;
  EXPECT_TRUE(shown.ends_with("\r\033[K"));
}

TEST(Progress, FitsIntoALine) {
  const Line line = Terminal();
  winsize narrow{};
  narrow.ws_col = 28;
  ASSERT_EQ(::ioctl(line.end, TIOCSWINSZ, &narrow), 0);
  std::string shown;
  {
    const Progress progress("reading gr\u00f6\u00dfe.of.all.trace",
                            std::chrono::milliseconds(0), line.end);
    shown += line.First();
  }
  shown += line.Read();
  EXPECT_TRUE(ShowsAge(shown, "ranksight: reading gr\u00f6")) << shown;
}

Line Pipe() {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  return Line{ends[0], ends[1]};
}

TEST(Progress, SaysHowMuchIsDoneAndWhatIsLeft) {
  const Line line = Terminal();
  {
    Progress progress("counting", std::chrono::milliseconds(1), line.end);
    progress.Tell(0.25);
    // Twice, for the first may have been drawn before it was told.
    for (std::string shown; shown.find(" done") == std::string::npos;) {
      shown += line.First();
    }
  }
  const Line pipe = Pipe();
  std::string shown;
  {
    Progress progress("counting", std::chrono::milliseconds(0), pipe.end,
                      std::chrono::milliseconds(1));
    progress.Tell(0.25);
    while (shown.find("left") == std::string::npos) shown += pipe.First();
  }
  EXPECT_NE(shown.find("counting, 25 % done, 0 s, about 0 s left"),
            std::string::npos)
      << shown;
}

TEST(Progress, SaysThatAnotherAttemptHasBegun) {
  const Line pipe = Pipe();
  std::string shown;
  {
    Progress progress("searching", std::chrono::milliseconds(0), pipe.end,
                      std::chrono::milliseconds(1));
    progress.Tell(0.9);
    progress.Tell(0.85);  // of a thread that is behind
    while (shown.find("left") == std::string::npos) shown += pipe.First();
    EXPECT_NE(shown.find("searching, 90 % done, 0 s"), std::string::npos)
        << shown;
    progress.Tell(0.5);
    shown.clear();
    while (shown.find("attempt") == std::string::npos ||
           shown.find('\n', shown.find("attempt")) == std::string::npos) {
      shown += pipe.First();
    }
  }
  EXPECT_NE(shown.find("searching, attempt 2: 50 % done, 0 s, about 0 s left"),
            std::string::npos)
      << shown;
}

TEST(Progress, NamesTheStepThatIsDoneNowWithItsOwnShare) {
  const Line pipe = Pipe();
  std::string shown;
  {
    Progress progress("searching", std::chrono::milliseconds(0), pipe.end,
                      std::chrono::milliseconds(1));
    progress.Tell(0.9);
    progress.Tell("drawing\n4 ranks", 0.25);
    while (shown.find("left", shown.find("drawing")) == std::string::npos) {
      shown += pipe.First();
    }
  }
  // No attempt anew of what came before, and no name ends the line.
  EXPECT_NE(shown.find("ranksight: drawing?4 ranks, 25 % done, 0 s, about 0 s"),
            std::string::npos)
      << shown;
  EXPECT_EQ(shown.find("attempt"), std::string::npos) << shown;
}

// After all that is told more may come, such as checks of what was found.
TEST(Progress, PromisesNoEndWhereAllIsToldAndWorkGoesOn) {
  const Line pipe = Pipe();
  std::string shown;
  {
    Progress progress("searching", std::chrono::milliseconds(0), pipe.end,
                      std::chrono::milliseconds(1));
    progress.Tell(1);
    while (shown.find(" s\n", shown.find("step")) == std::string::npos) {
      shown += pipe.First();
    }
  }
  EXPECT_NE(shown.find("searching, last step, 0 s"), std::string::npos)
      << shown;
  EXPECT_EQ(shown.find("left"), std::string::npos) << shown;
}

TEST(Progress, SaysNothingOfShortWork) {
  const Line line = Terminal();
  { const Progress progress("counting", std::chrono::hours(1), line.end); }
  EXPECT_EQ(line.Read(), "");
}

TEST(Progress, SaysNothingOfShortWorkWhereThereIsNoTerminal) {
  const Line line = Pipe();
  {
    const Progress progress("counting", std::chrono::milliseconds(0), line.end);
  }
  EXPECT_EQ(line.Read(), "");
}

TEST(Progress, AddsLinesOfLongWorkWhereThereIsNoTerminal) {
  const Line line = Pipe();
  std::string shown;
  {
    const Progress progress("counting\nsheep", std::chrono::milliseconds(0),
                            line.end, std::chrono::milliseconds(1));
    shown += line.First();
  }
  shown += line.Read();
  EXPECT_TRUE(shown.starts_with("ranksight: counting?sheep, ")) << shown;
  EXPECT_TRUE(ShowsAge(shown, "ranksight: counting?sheep")) << shown;
  EXPECT_TRUE(shown.ends_with(" s\n")) << shown;
  EXPECT_EQ(shown.find('\033'), std::string::npos);
}

TEST(Progress, HandsOnWhatTheWorkGives) {
  EXPECT_EQ(WithProgress("counting", [] { return 42; }), 42);
}

}  // namespace
}  // namespace ranksight::cli
