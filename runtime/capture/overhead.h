// What recording a predicted call takes outside of the two readings of the
// clock: it is part of nobody's computation and is taken off. Measured while
// the program runs, since it depends on caches and on the depth of its stack.
//
// Thread-safety: the recorder's lock.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ranksight::runtime {

class Overhead {
 public:
  // reading: what one reading of the clock takes, in ticks.
  explicit Overhead(int64_t reading) : reading_(reading), inside_(reading) {}
  // Ticks it takes to recognise a call, after its start was read, and to
  // record it, after its end was.
  int64_t before() const { return before_; }
  int64_t after() const { return after_; }
  // When the program went on, after a call that returned to its wrapper then.
  uint64_t LeftAt(uint64_t returned_ticks) const {
    return returned_ticks + uint64_t(after_);
  }
  // Time in a call between two readings of the clock.
  int64_t CallTicks(uint64_t started_ticks, uint64_t returned_ticks) const {
    return int64_t(returned_ticks - started_ticks) - inside_;
  }
  void Measured(int64_t before, int64_t after) {
    before_ = Follow(before_, before);
    after_ = Follow(after_, after);
    inside_ = reading_ + before_;
  }

 private:
  // The least seen, forgotten slowly: interruptions are not ours, but what
  // was possible once may not be so any more.
  static int64_t Follow(int64_t least, int64_t measured) {
    measured = std::max<int64_t>(measured, 0);
    return least == 0 ? measured : std::min(measured, least + 1 + least / 16);
  }
  int64_t before_ = 0, after_ = 0;
  int64_t reading_, inside_;
};

}  // namespace ranksight::runtime
