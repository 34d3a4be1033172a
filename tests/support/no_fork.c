// Preloaded library: a system without fork, as compute nodes of Blue Gene have.
// Says so on stderr when it was asked.
#include <errno.h>
#include <unistd.h>

pid_t _Fork(void) {
  static const char kText[] = "no fork here\n";
  if (write(STDERR_FILENO, kText, sizeof kText - 1) < 0) return -1;
  errno = ENOSYS;
  return -1;
}
