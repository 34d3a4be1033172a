// A clock that only moves when it is told to.
#pragma once

#include "replay_engine/api/clock.h"

namespace ranksight::replay_engine {

class FakeClock : public Clock {
 public:
  int64_t NowNs() override { return now_ns += tick_ns; }
  void WaitUntil(int64_t deadline_ns) override {
    now_ns = deadline_ns + overshoot_ns;
  }

  int64_t now_ns = 1000;
  int64_t tick_ns = 0;       // cost of asking
  int64_t overshoot_ns = 0;  // of every wait
};

}  // namespace ranksight::replay_engine
