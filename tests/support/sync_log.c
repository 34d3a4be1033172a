// Preloaded library that logs which program waits for the disk, and for which
// file: "PROGRAM PATH" for each fsync and fdatasync, appended to $SYNC_LOG. Any
// thread.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void Log(int fd) {
  char link[64], path[PATH_MAX], line[PATH_MAX + 64];
  const char* log = getenv("SYNC_LOG");
  if (log == NULL) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  path[n > 0 ? n : 0] = '\0';
  const int length = snprintf(line, sizeof line, "%s %s\n",
                              program_invocation_short_name, path);
  const int to = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (to < 0) return;
  if (write(to, line, (size_t)length) != length) abort();
  close(to);
}

static int Sync(const char* name, int fd) {
  Log(fd);
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
}

int fsync(int fd) { return Sync("fsync", fd); }
int fdatasync(int fd) { return Sync("fdatasync", fd); }
