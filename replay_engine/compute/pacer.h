// Pacer: lets the computation between two calls pass, less what the replayer
// itself needed since the last call. What did not fit is taken from the
// computation after it, so that the sum comes out.
//
// Thread-safety: one pacer belongs to one thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "replay_engine/api/clock.h"

namespace ranksight::replay_engine {

class Pacer {
 public:
  explicit Pacer(Clock& clock) : clock_(clock), left_ns_(clock.NowNs()) {}

  // A call has returned.
  void CallReturned() { left_ns_ = clock_.NowNs(); }

  // Returns compute_ns after the last call returned, less the debt.
  void Compute(double compute_ns) {
    const auto whole = static_cast<int64_t>(  // to the nearest
        std::clamp(compute_ns, 0.0, kLongestNs) + 0.5);
    const int64_t deadline = left_ns_ + whole - debt_ns_;
    // Reading the clock is a good part of what an event costs.
    int64_t now = clock_.NowNs();
    if (now < deadline) {
      clock_.WaitUntil(deadline);
      now = clock_.NowNs();
    }
    debt_ns_ = std::max<int64_t>(0, now - deadline);
  }

  int64_t debt_ns() const { return debt_ns_; }

 private:
  static constexpr double kLongestNs = 1e17;  // three years
  Clock& clock_;
  int64_t left_ns_;
  int64_t debt_ns_ = 0;
};

}  // namespace ranksight::replay_engine
