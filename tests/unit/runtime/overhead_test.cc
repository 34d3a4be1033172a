#include "runtime/capture/overhead.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace ranksight::runtime {
namespace {

// A machine on which everything takes a known time, by a clock of its own.
// Follows the order in which a wrapper does things (quick_call.h).
class Machine {
 public:
  static constexpr int64_t kReading = 21;

  uint64_t Read() {
    now_ += kReading;
    return now_ - kReading / 2;
  }
  void Pass(int64_t ticks) { now_ += uint64_t(ticks); }

  // One call after a computation; disturbed: something else ran meanwhile.
  void Call(int64_t compute, int64_t in_call, int64_t recognising,
            int64_t recording, int64_t disturbed) {
    Pass(compute);
    const uint64_t started = Read();
    Pass(recognising + in_call);
    const uint64_t returned = Read();
    compute_sum += int64_t(started - left_);
    call_sum += overhead.CallTicks(started, returned);
    left_ = overhead.LeftAt(returned);
    Pass(recording);
    if (++calls_ % 8 != 0) return;
    overhead.Measured(recognising + disturbed, recording + disturbed);
  }
  void Start() {
    compute_sum = call_sum = 0;
    left_ = now_;
  }

  Overhead overhead{kReading};
  int64_t compute_sum = 0, call_sum = 0;

 private:
  uint64_t now_ = 1000000, left_ = 0;
  uint64_t calls_ = 0;
};

TEST(Overhead, ComputationAndCallsAreWhatTheyWere) {
  std::mt19937 rng(1);
  Machine m;
  for (int i = 0; i < 100; ++i) m.Call(500, 300, 17, 40, 0);
  m.Start();
  int64_t computed = 0, called = 0;
  constexpr int kCalls = 1000;
  for (int i = 0; i < kCalls; ++i) {
    const int64_t compute = 100 + int64_t(rng() % 10000);
    const int64_t in_call = 50 + int64_t(rng() % 1000);
    m.Call(compute, in_call, 17, 40, 0);
    computed += compute;
    called += in_call;
  }
  // What is left is the one reading of the clock between two calls.
  EXPECT_NEAR(double(m.compute_sum), double(computed),
              (Machine::kReading + 1.0) * kCalls);
  EXPECT_NEAR(double(m.call_sum), double(called), 1.0 * kCalls);
}

TEST(Overhead, InterruptionsAreNotTakenOff) {
  Machine m;
  for (int i = 0; i < 800; ++i)
    m.Call(500, 300, 17, 40, (i + 1) % 16 ? 5000 : 0);
  EXPECT_LE(m.overhead.before(), 2 * 17);
  EXPECT_LE(m.overhead.after(), 2 * 40);
}

TEST(Overhead, FollowsACostThatGrewForGood) {
  Machine m;
  for (int i = 0; i < 800; ++i) m.Call(500, 300, 17, 40, 0);
  EXPECT_EQ(m.overhead.before(), 17);
  for (int i = 0; i < 800; ++i) m.Call(500, 300, 60, 90, 0);
  EXPECT_EQ(m.overhead.before(), 60);
  EXPECT_EQ(m.overhead.after(), 90);
}

TEST(Overhead, NothingMeasuredTakesNothingOff) {
  const Overhead none(5);
  EXPECT_EQ(none.LeftAt(7), 7u);
  EXPECT_EQ(none.CallTicks(10, 30), 15);
}

}  // namespace
}  // namespace ranksight::runtime
