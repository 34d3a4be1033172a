#include "replay_engine/api/clock.h"

#include <sched.h>

#include <cerrno>
#include <chrono>
#include <ctime>

namespace ranksight::replay_engine {
namespace {

class SteadyClock : public Clock {
 public:
  int64_t NowNs() final {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};

class SpinClock : public SteadyClock {
 public:
  explicit SpinClock(bool polite) : polite_(polite) {}
  void WaitUntil(int64_t deadline_ns) override {
    while (NowNs() < deadline_ns) {
      if (polite_) sched_yield();
    }
  }

 private:
  const bool polite_;
};

class SleepClock : public SteadyClock {
 public:
  void WaitUntil(int64_t deadline_ns) override {
    constexpr int64_t kNsPerSecond = 1'000'000'000;
    for (int64_t left; (left = deadline_ns - NowNs()) > 0;) {
      timespec duration{};
      duration.tv_sec = left / kNsPerSecond;
      duration.tv_nsec = left % kNsPerSecond;
      if (nanosleep(&duration, nullptr) != 0 && errno != EINTR) return;
    }
  }
};

}  // namespace

std::unique_ptr<Clock> MakeClock(Waiting waiting) {
  if (waiting == Waiting::kSleep) return std::make_unique<SleepClock>();
  return std::make_unique<SpinClock>(waiting == Waiting::kSpinPolite);
}

}  // namespace ranksight::replay_engine
