// The clock of the day in the hands of somebody who keeps setting it: every 20
// ms it is right, a day back, or an hour ahead. Monotonic clocks go on.
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static int64_t step_s(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  static const int64_t steps[] = {0, -86400, 3600};
  return steps[(t.tv_sec * 50 + t.tv_nsec / 20000000) % 3];
}

EXPORT int clock_gettime(clockid_t clock, struct timespec* t) {
  const long code = syscall(SYS_clock_gettime, clock, t);
  if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    t->tv_sec += step_s();
  return (int)code;
}

EXPORT int gettimeofday(struct timeval* restrict t, void* restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  t->tv_sec = now.tv_sec;
  t->tv_usec = now.tv_nsec / 1000;
  return 0;
}

EXPORT time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}
