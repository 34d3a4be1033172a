#include <array>
#include <atomic>
#include <map>
#include <string>

#include "runtime/intercept/interception.h"

namespace ranksight::runtime {
namespace {

// More than any MPI has; calls beyond share the last counter.
constexpr int kMost = 1024;
std::array<std::atomic<uint64_t>, kMost> counts;

}  // namespace

void CountNotRecorded(int call) noexcept {
  if (Recorder::Active() == nullptr || ThisThread().depth > 0) return;
  counts[size_t(call < kMost ? call : kMost - 1)].fetch_add(
      1, std::memory_order_relaxed);
}

std::map<std::string, uint64_t> NotRecorded() {
  std::map<std::string, uint64_t> out;
  for (int i = 0; kPassingCalls[i] != nullptr && i < kMost; ++i) {
    const uint64_t n = counts[size_t(i)].load(std::memory_order_relaxed);
    if (n != 0) out[kPassingCalls[i]] = n;
  }
  return out;
}

}  // namespace ranksight::runtime
