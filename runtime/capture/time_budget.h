// What looking at calls in full, and keeping what is no prediction, may take
// of a rank's processor time. Irregular programs would be slowed without end;
// recording stops there instead. Calls on the short way are not counted:
// nothing costs less but no recording.
//
// Thread-safety: the recorder's lock.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ranksight::runtime {

// share: of the rank's processor time so far. least_seconds: however short the
// run is.
struct TimeShare {
  double share = 0.02;
  double least_seconds = 1;
};

class TimeBudget {
 public:
  // cpu_seconds: of the process as the run began.
  TimeBudget(TimeShare allowed, double cpu_seconds)
      : allowed_(allowed), cpu_before_(cpu_seconds) {}

  // Whether it is time to ask IsSpent: never before that much was spent.
  bool Spend(uint64_t ticks) {
    spent_ticks_ += ticks;
    return spent_ticks_ > asked_again_ticks_;
  }
  // Whether more is spent than is allowed. elapsed: ticks of the run so far;
  // cpu_seconds: of the process by now. Both elapsed and spent ticks hold what
  // other processes took meanwhile; that it is the same share of both is taken
  // for granted.
  bool IsSpent(uint64_t elapsed_ticks, double cpu_seconds) {
    constexpr double kLeastCpu = 1e-6;  // none is shown for a moment
    const double cpu = std::max(cpu_seconds - cpu_before_, kLeastCpu);
    const double allowed_seconds =
        std::max(allowed_.least_seconds, allowed_.share * cpu);
    const double allowed_ticks = allowed_seconds / cpu * double(elapsed_ticks);
    const double room = allowed_ticks - double(spent_ticks_);
    // Other processes may take less from here on, so room may get less, too.
    // Asking is a system call: a hundredth of the least ticks.
    constexpr double kLeastTicks = 1 << 16, kMostTicks = 0x1p62;
    asked_again_ticks_ =
        spent_ticks_ + uint64_t(std::clamp(room / 4, kLeastTicks, kMostTicks));
    return room < 0;
  }

 private:
  TimeShare allowed_;
  double cpu_before_;
  uint64_t spent_ticks_ = 0;
  uint64_t asked_again_ticks_ = 0;
};

}  // namespace ranksight::runtime
