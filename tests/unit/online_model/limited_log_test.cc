#include "online_model/ingest/limited_log.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace ranksight::online_model {
namespace {

TEST(LimitedLog, OfAFloodAFewLinesASecondAreLeft) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::string> lines;
  const Log log =
      LimitedLog([&](const std::string& line) { lines.push_back(line); });
  const auto begin = Clock::now();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([log] {
      for (int i = 0; i < 1000; ++i) log("line");
    });
  }
  for (std::thread& t : threads) t.join();
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin);
  EXPECT_GE(lines.size(), 20u);
  EXPECT_LE(lines.size(), size_t(20 * (1 + seconds.count())));
  EXPECT_EQ(lines[18], "line");
  EXPECT_EQ(lines[19], "more lines are left out for a second");
}

TEST(LimitedLog, ANameMakesNoLineOfItsOwn) {
  std::vector<std::string> lines;
  const Log log =
      LimitedLog([&](const std::string& line) { lines.push_back(line); });
  log("no run of x\nranksight: stored app on 4 ranks\u202e\x1b[2J");
  EXPECT_EQ(lines, std::vector<std::string>{
                       "no run of x?ranksight: stored app on 4 ranks??[2J"});
}

TEST(LimitedLog, NoLogIsNone) { LimitedLog({})("line"); }

}  // namespace
}  // namespace ranksight::online_model
