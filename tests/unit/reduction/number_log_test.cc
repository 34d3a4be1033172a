#include "reduction/queue/number_log.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace ranksight::reduction {
namespace {

std::vector<int64_t> Read(const NumberLog& log) {
  std::vector<int64_t> numbers;
  NumberLog::Cursor cursor(log);
  for (size_t i = 0; i < log.size(); ++i) numbers.push_back(cursor.Next());
  return numbers;
}

TEST(NumberLog, GivesBackWhatWasAppended) {
  std::mt19937_64 random(7);
  std::vector<int64_t> numbers = {0,   -1,   1,    63,        64,       -64,
                                  -65, 8191, 8192, INT64_MAX, INT64_MIN};
  for (int i = 0; i < 5000; ++i) {
    numbers.push_back(int64_t(random()) >> random() % 64);
  }
  NumberLog log;
  for (const int64_t v : numbers) log.Append(v);
  EXPECT_EQ(Read(log), numbers);
  const NumberLog copy = log;
  log.Clear();
  EXPECT_EQ(log.size(), 0u);
  log.Append(-7);
  EXPECT_EQ(Read(log), std::vector<int64_t>{-7});
  EXPECT_EQ(Read(copy), numbers);
}

TEST(NumberLog, SmallNumbersAreShort) {
  NumberLog log;
  for (int64_t v = -64; v < 64; ++v) log.Append(v);
  EXPECT_EQ(log.memory_bytes(), 128u);
  for (int64_t v = 64; v < 8192; ++v) log.Append(v);
  EXPECT_EQ(log.memory_bytes(), 128u + 2 * (8192 - 64));
}

}  // namespace
}  // namespace ranksight::reduction
