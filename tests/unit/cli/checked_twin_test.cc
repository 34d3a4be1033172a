#include "cli/look/checked_twin.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>

namespace ranksight::cli {
namespace {

TEST(StopAfter, CountsProcessorTimeAndNotThatOfOthers) {
  constexpr double kSeconds = 0.05;
  const online_model::Stop stop = StopAfter(kSeconds);
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable nobody;
  nobody.wait_for(lock, std::chrono::duration<double>(2 * kSeconds),
                  [] { return false; });
  EXPECT_TRUE(stop().ok()) << "others worked meanwhile";
  const std::clock_t begin = std::clock();
  while (std::clock() - begin <= kSeconds * CLOCKS_PER_SEC) {
  }
  const reduction::Status ended = stop();
  EXPECT_EQ(ended.code(), reduction::StatusCode::kNo);
  EXPECT_NE(ended.message().find("--limit; 0 for none"), std::string::npos)
      << ended.message();
}

TEST(StopAfter, NeverStopsWithoutALimit) { EXPECT_FALSE(StopAfter(0)); }

}  // namespace
}  // namespace ranksight::cli
