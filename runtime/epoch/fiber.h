// Fiber: a function on a stack of its own, run in slices by whoever has time.
//
// The function goes on until it has used its slice up and comes by
// reduction::Pause(), or calls Yield. Any thread may run the next slice.
// Thread-safety: one slice at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace ranksight::runtime {

class Fiber {
 public:
  // nullptr when there is no memory for a stack. Whatever the body throws
  // ends it.
  static std::unique_ptr<Fiber> Make(std::function<void()> body) noexcept;
  // Cancels and runs to the end what has not ended: the body sees an
  // exception at its next pause.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs until Clock::Now() passes until_ticks, or Yield; true at the end.
  bool Run(uint64_t until_ticks) noexcept;
  // Ends the slice. REQUIRES: called by a body.
  static void Yield();

 private:
  struct Impl;
  explicit Fiber(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ranksight::runtime
