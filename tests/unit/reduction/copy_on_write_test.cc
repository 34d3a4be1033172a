#include "reduction/api/copy_on_write.h"

#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

namespace ranksight::reduction {
namespace {

using Shared = CopyOnWrite<std::vector<int>>;

TEST(CopyOnWrite, CopiesShareUntilOneChanges) {
  Shared a(std::vector<int>{1, 2});
  Shared b = a;
  EXPECT_EQ(a.identity(), b.identity());
  EXPECT_TRUE(a.is_shared());
  b.Change().push_back(3);
  EXPECT_EQ(a.get(), (std::vector<int>{1, 2}));
  EXPECT_EQ(b.get(), (std::vector<int>{1, 2, 3}));
  EXPECT_NE(a.identity(), b.identity());
  EXPECT_FALSE(a.is_shared());
}

TEST(CopyOnWrite, ChangesInPlaceWhatNobodyShares) {
  Shared a(std::vector<int>{1});
  const void* before = a.identity();
  { const Shared b = a; }
  a.Change().push_back(2);
  EXPECT_EQ(a.identity(), before);
}

TEST(CopyOnWrite, NothingIsAnEmptyValueWithoutIdentity) {
  Shared a;
  EXPECT_TRUE(a.get().empty());
  EXPECT_EQ(a.identity(), nullptr);
  a.Change().push_back(1);
  Shared b = std::move(a);
  EXPECT_EQ(a.identity(), nullptr);
  EXPECT_EQ(b.get(), std::vector<int>{1});
}

TEST(CopyOnWrite, CopiesBelongToTheirThreads) {
  for (int round = 0; round < 50; ++round) {
    Shared mine(std::vector<int>{1, 2, 3});
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([copy = mine, t]() mutable {
        copy.Change()[0] = t;
        EXPECT_EQ(copy.get(), (std::vector<int>{t, 2, 3}));
      });
    }
    mine.Change()[0] = 9;
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(mine.get(), (std::vector<int>{9, 2, 3}));
  }
}

}  // namespace
}  // namespace ranksight::reduction
