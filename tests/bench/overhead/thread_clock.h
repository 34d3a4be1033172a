// CPU time of the calling thread, for the benches in C.
#pragma once

#include <time.h>

static inline double ThreadNs(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}
