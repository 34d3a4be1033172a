// Clock: the time a replay runs in, and how a rank lets it pass.
// Thread-safety: one clock belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>

namespace ranksight::replay_engine {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t NowNs() = 0;
  // Returns at deadline_ns or, by the grain of the clock, later.
  virtual void WaitUntil(int64_t deadline_ns) = 0;
};

enum class Waiting {
  kSpin,        // holds the core, as computation does
  kSpinPolite,  // the same, but yields: for more ranks than cores
  kSleep,       // gives the core away
};

std::unique_ptr<Clock> MakeClock(Waiting waiting);

}  // namespace ranksight::replay_engine
