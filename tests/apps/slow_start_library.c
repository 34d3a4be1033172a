// Makes the runtime's start long by the monotonic clock: it asks for fatal
// signals there, and from then on it is an hour later.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static time_t later;

int sigaction(int signal, const struct sigaction* action,
              struct sigaction* old) {
  static int (*real)(int, const struct sigaction*, struct sigaction*);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "sigaction");
  if (signal == SIGFPE) later = 3600;
  return real(signal, action, old);
}

int clock_gettime(clockid_t clock, struct timespec* t) {
  const long code = syscall(SYS_clock_gettime, clock, t);
  if (code == 0 && clock == CLOCK_MONOTONIC) t->tv_sec += later;
  return (int)code;
}
