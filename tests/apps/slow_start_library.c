// Makes the runtime's start slow: it asks for fatal signals there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

int sigaction(int signal, const struct sigaction* action,
              struct sigaction* old) {
  static int (*real)(int, const struct sigaction*, struct sigaction*);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "sigaction");
  if (signal == SIGFPE) usleep(400000);
  return real(signal, action, old);
}
