#include "runtime/capture/not_recorded.h"

#include <array>
#include <atomic>

#include "runtime/capture/recorder.h"
#include "runtime/capture/thread.h"

namespace ranksight::runtime {
namespace {

// More than any MPI has; calls beyond share the last counter.
constexpr int kMostPassingCalls = 1024;
std::array<std::atomic<uint64_t>, kMostPassingCalls> passing_call_counts;

}  // namespace

void CountNotRecorded(int call) noexcept {
  if (Recorder::Active() == nullptr || hot.expected == &kInside) return;
  const int place = call < kMostPassingCalls ? call : kMostPassingCalls - 1;
  passing_call_counts[size_t(place)].fetch_add(1, std::memory_order_relaxed);
}

std::map<std::string, uint64_t> NotRecorded() {
  std::map<std::string, uint64_t> out;
  for (int i = 0; kPassingCalls[i] != nullptr && i < kMostPassingCalls; ++i) {
    const uint64_t n =
        passing_call_counts[size_t(i)].load(std::memory_order_relaxed);
    if (n != 0) out[kPassingCalls[i]] = n;
  }
  return out;
}

}  // namespace ranksight::runtime
