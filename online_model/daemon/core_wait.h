// CoreWait: whether a thread that works stands in the queue for a core most of
// the time, because others have them all.
//
// What counts is the time that the kernel says the thread could have run and
// did not, so waiting for a lock, a disk or threads that it started is not
// counted. Where the kernel does not say it, nobody waits. Thread-safety: of
// one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace ranksight::online_model {

// The second number of /proc/thread-self/schedstat: nanoseconds in the queue.
std::optional<int64_t> ParseQueued(std::string_view schedstat);
// Of the calling thread, since it began.
std::optional<int64_t> QueuedNs();

class CoreWait {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // queued_ns, now: where the figures come from.
  explicit CoreWait(
      std::function<std::optional<int64_t>()> queued_ns = QueuedNs,
      std::function<Time()> now = std::chrono::steady_clock::now);

  // Work begins: what was waited for until now is none of it.
  void Begin();
  // Asked now and then while the work goes on; the answer stays for half a
  // second.
  bool Waits();

 private:
  std::function<std::optional<int64_t>()> queued_ns_;
  std::function<Time()> now_;
  Time since_;
  std::optional<int64_t> queued_then_;
  bool waits_ = false;
};

}  // namespace ranksight::online_model
