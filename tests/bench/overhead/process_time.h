// Processor time of this process so far, in microseconds. C.
#pragma once

#include <time.h>

static inline double ProcessUs(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}
