#include "runtime/capture/own_time.h"

#include <time.h>

namespace ranksight::runtime {

void OwnTime::TurnOn() {
  // The least of many: interruptions are not ours.
  reading_ns_ = UINT64_MAX;
  for (int i = 0; i < 100; ++i) {
    const uint64_t before = ProcessorNs();
    reading_ns_ = std::min(reading_ns_, ProcessorNs() - before);
  }
  on_ = true;
}

uint64_t OwnTime::ProcessorNs() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return uint64_t(t.tv_sec) * 1000000000u + uint64_t(t.tv_nsec);
}

}  // namespace ranksight::runtime
