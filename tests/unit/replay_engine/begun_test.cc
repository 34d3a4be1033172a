#include "replay_engine/progress/begun.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace ranksight::replay_engine {
namespace {

TEST(Begun, HoldsWhatAMapHolds) {
  std::mt19937 random(1);
  const auto below = [&](int n) { return int64_t(random() % unsigned(n)); };
  Begun begun;
  std::map<int64_t, Begun::Tasks> map;
  int64_t next = 0;
  const auto expected = [&](int64_t request) {
    const auto at = map.find(request);
    return at == map.end() ? Begun::kNoTasks : at->second;
  };
  for (int step = 0; step < 20000; ++step) {
    const bool fills = step / 1000 % 2 == 0;
    if (below(10) < (fills ? 6 : 4)) {
      next += 1 + below(3);
      const int64_t request = below(5) == 0 ? kPersistentBase + below(4) : next;
      const Begun::Tasks tasks = {uint64_t(step), Begun::kNothing};
      begun.Put(request, tasks);
      map[request] = tasks;
      continue;
    }
    // Some that were taken already, or were never there.
    const int64_t request = below(5) == 0
                                ? kPersistentBase + below(4)
                                : std::max<int64_t>(0, next - below(60));
    EXPECT_EQ(begun.Find(request), expected(request));
    EXPECT_EQ(begun.Take(request), expected(request));
    map.erase(request);
    EXPECT_EQ(begun.Find(request), Begun::kNoTasks);
  }
}

}  // namespace
}  // namespace ranksight::replay_engine
