// CPU time of the calling thread. Thread-safety: pure function.
#pragma once

#include <time.h>

namespace ranksight::bench {

inline double CpuSeconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

}  // namespace ranksight::bench
