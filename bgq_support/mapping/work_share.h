// How much of a search is done, in messages looked at. A plan is a guess: the
// search may end before, and what comes may turn out to be more.
// Thread-safety: one thread.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

namespace ranksight::bgq_support {

class WorkShare {
 public:
  // tell: see OptimiseOptions::tell_share.
  explicit WorkShare(std::function<void(double share)> tell)
      : tell_(std::move(tell)) {}

  // So much more is to be done.
  void Plan(double messages) { planned_ += std::max(0.0, messages); }
  void Do(double messages) {
    done_ += messages;
    if (!tell_ || planned_ <= 0) return;
    // Never less than before, and not all before the end.
    share_ = std::max(share_, std::min(0.99, done_ / planned_));
    if (share_ > 0) tell_(share_);
  }
  // All that was planned but so much of it is over.
  void LeaveOnly(double messages) {
    if (planned_ - messages > done_) Do(planned_ - messages - done_);
  }

 private:
  std::function<void(double)> tell_;
  double planned_ = 0, done_ = 0, share_ = 0;
};

}  // namespace ranksight::bgq_support
