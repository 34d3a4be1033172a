// Preloaded library: a system that makes no copies of processes, as compute
// nodes of Blue Gene have. Says so on stderr when it was asked.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

long syscall(long number, ...) {
  static const char kText[] = "no fork here\n";
  static long (*next)(long, ...) = NULL;
  if (number == SYS_clone) {
    if (write(STDERR_FILENO, kText, sizeof kText - 1) < 0) return -1;
    errno = ENOSYS;
    return -1;
  }
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "syscall");
  va_list words;
  va_start(words, number);
  long word[6];
  for (int i = 0; i < 6; ++i) word[i] = va_arg(words, long);
  va_end(words);
  return next(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}
