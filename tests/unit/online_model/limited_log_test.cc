#include "online_model/ingest/limited_log.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace ranksight::online_model {
namespace {

using Clock = std::chrono::steady_clock;

// Four threads write a thousand lines each.
void Flood(const Log& log) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([log] {
      for (int i = 0; i < 1000; ++i) log({LogLevel::kInfo, "line", {}});
    });
  }
  for (std::thread& t : threads) t.join();
}

TEST(LimitedLog, OfAFloodTwentyLinesASecondAreLeft) {
  std::vector<std::string> lines;
  Clock::time_point now{std::chrono::seconds(1000)};
  const Log log =
      LimitedLog([&](const LogEvent& event) { lines.push_back(event.text); },
                 [&] { return now; });
  std::vector<std::string> expected(19, "line");
  expected.emplace_back("more lines are left out for a second");
  Flood(log);
  EXPECT_EQ(lines, expected);
  now += std::chrono::milliseconds(999);
  Flood(log);
  EXPECT_EQ(lines, expected);
  now += std::chrono::milliseconds(1);
  lines.clear();
  Flood(log);
  EXPECT_EQ(lines, expected);
}

TEST(LimitedLog, ANameMakesNoLineOfItsOwn) {
  std::vector<std::string> lines;
  const Log log = LimitedLog([&](const LogEvent& event) {
    lines.push_back(event.text);
    lines.push_back(event.sender.key);
  });
  log({LogLevel::kWarning,
       "no run of x\nranksight: stored app on 4 ranks\u202e\x1b[2J",
       {"anna\n", ""}});
  EXPECT_EQ(lines,
            (std::vector<std::string>{
                "no run of x?ranksight: stored app on 4 ranks??[2J", "anna?"}));
}

TEST(LimitedLog, WithoutALogNoLineIsTimed) {
  int timed = 0;
  const Log log = LimitedLog({}, [&timed] {
    ++timed;
    return Clock::time_point();
  });
  ASSERT_TRUE(log);
  Flood(log);
  EXPECT_EQ(timed, 0);
}

}  // namespace
}  // namespace ranksight::online_model
