// What looking at calls in full, and keeping what is no prediction, may take
// of a rank's processor time. Irregular programs would be slowed without end:
// amounts are kept as distributions first, which cost less, and recording stops
// where that does not do. Calls on the short way are not counted: nothing costs
// less but no recording. What the end of the run will take is counted as it
// grows.
//
// Thread-safety: the recorder's lock.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ranksight::runtime {

// share: of the rank's processor time so far. least_seconds: however short the
// run is; twice as many let twice as many calls without a rule be kept, and a
// short run be longer by as much. coarse_from: the part of what is allowed from
// which on amounts are distributions.
struct TimeShare {
  double share = 0.02;
  double least_seconds = 0.1;
  double coarse_from = 0.5;
};

class TimeBudget {
 public:
  // cpu_seconds: of the process as the run began.
  TimeBudget(TimeShare allowed, double cpu_seconds)
      : allowed_(allowed), cpu_before_(cpu_seconds) {}

  // Whether it is time to look: never before a part of the room was spent.
  bool Spend(uint64_t ticks) {
    spent_ticks_ += ticks;
    return spent_ticks_ > asked_again_ticks_;
  }

  enum class State { kRoom, kCoarse, kSpent };
  // elapsed: ticks of the run so far; cpu_seconds: of the process by now;
  // value_bytes: of values without a rule, which take time at the end. Both
  // elapsed and spent ticks hold what other processes took meanwhile; that it
  // is the same share of both is taken for granted.
  State Look(uint64_t elapsed_ticks, double cpu_seconds, uint64_t value_bytes) {
    constexpr double kLeastCpu = 1e-6;  // none is shown for a moment
    const double cpu = std::max(cpu_seconds - cpu_before_, kLeastCpu);
    const double allowed =
        std::max(allowed_.least_seconds, allowed_.share * cpu);
    const double ticks_a_second = double(elapsed_ticks) / cpu;
    const double spent = double(spent_ticks_) / ticks_a_second +
                         kEndSecondsAByte * double(value_bytes);
    // Other processes may take less from here on, and the end take several
    // times what was spent meanwhile, so room may get less sooner. Looking is a
    // system call and a walk over the tree: a hundredth of the least ticks.
    constexpr double kLeastTicks = 1 << 20, kMostTicks = 0x1p62;
    const double room = (allowed - spent) * ticks_a_second;
    const double step = std::min(room, double(spent_ticks_)) / 8;
    asked_again_ticks_ =
        spent_ticks_ + uint64_t(std::clamp(step, kLeastTicks, kMostTicks));
    if (spent > allowed) return State::kSpent;
    return spent > allowed_.coarse_from * allowed ? State::kCoarse
                                                  : State::kRoom;
  }

 private:
  // To write and merge values without a rule: 8 to 20 ns a byte where two ranks
  // of tests/apps/active_messages and tests/apps/irregular end.
  static constexpr double kEndSecondsAByte = 1e-8;

  TimeShare allowed_;
  double cpu_before_;
  uint64_t spent_ticks_ = 0;
  uint64_t asked_again_ticks_ = 0;
};

}  // namespace ranksight::runtime
