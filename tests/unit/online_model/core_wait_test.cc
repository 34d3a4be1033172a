#include "online_model/daemon/core_wait.h"

#include <gtest/gtest.h>

#include <optional>

namespace ranksight::online_model {
namespace {

using std::chrono::milliseconds;

// A thread whose clock and queue are told.
struct Told {
  CoreWait::Time now;
  std::optional<int64_t> queued_ns = 0;
  CoreWait wait{[this] { return queued_ns; }, [this] { return now; }};

  bool After(milliseconds passed, milliseconds queued) {
    now += passed;
    if (queued_ns) *queued_ns += std::chrono::nanoseconds(queued).count();
    return wait.Waits();
  }
};

TEST(CoreWait, IsMoreThanHalfOfHalfASecond) {
  Told thread;
  EXPECT_FALSE(thread.After(milliseconds(400), milliseconds(400)));
  EXPECT_TRUE(thread.After(milliseconds(200), milliseconds(0)));
  EXPECT_TRUE(thread.After(milliseconds(100), milliseconds(0)));
  EXPECT_FALSE(thread.After(milliseconds(500), milliseconds(0)));
  EXPECT_FALSE(thread.After(milliseconds(600), milliseconds(300)));
  EXPECT_TRUE(thread.After(milliseconds(600), milliseconds(301)));
}

TEST(CoreWait, IsOfTheWorkThatBeganLast) {
  Told thread;
  EXPECT_TRUE(thread.After(milliseconds(600), milliseconds(600)));
  thread.now += milliseconds(5000);
  *thread.queued_ns += 5'000'000'000;
  thread.wait.Begin();
  EXPECT_FALSE(thread.wait.Waits());
  EXPECT_FALSE(thread.After(milliseconds(600), milliseconds(0)));
}

TEST(CoreWait, IsNotKnownWhereTheKernelDoesNotSayIt) {
  Told thread;
  thread.queued_ns.reset();
  thread.wait.Begin();
  EXPECT_FALSE(thread.After(milliseconds(600), milliseconds(0)));
  thread.queued_ns = 5'000'000'000;
  EXPECT_FALSE(thread.After(milliseconds(600), milliseconds(0)));
}

TEST(CoreWait, IsTheSecondNumberOfSchedstat) {
  EXPECT_EQ(ParseQueued("179427 5438 2\n"), 5438);
  for (const char* other : {"", "179427", "179427 \n", "1 -5 2", "1 x 2"}) {
    EXPECT_EQ(ParseQueued(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace ranksight::online_model
