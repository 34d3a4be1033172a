// Preloaded library that lets one call of the system fail, as a full or a
// damaged disk would. Counts the calls that open for writing, write, truncate,
// sync, close after writing, rename or make something below $FAULT_UNDER, and
// lets number $FAULT_AT of them go wrong as $FAULT says:
//   ENOSPC, EIO, EROFS, EINTR: it returns -1 with that errno
//                              (EINTR in reads and writes alone)
//   short: every write and read moves one byte
// Makes the file $FAULT_HIT when a call went wrong. Without $FAULT it passes
// everything on. Any thread; the environment may change while no other thread
// runs, and a new $FAULT_AT counts from the beginning.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

static atomic_int seen, counted_for;

static const char* Kind(void) {
  const char* kind = getenv("FAULT");
  return kind != NULL ? kind : "";
}

static int IsBelow(const char* path) {
  const char* under = getenv("FAULT_UNDER");
  char full[PATH_MAX];
  if (under == NULL || path == NULL) return 0;
  if (path[0] != '/') {
    if (getcwd(full, sizeof full) == NULL) return 0;
    strncat(full, "/", sizeof full - strlen(full) - 1);
    strncat(full, path, sizeof full - strlen(full) - 1);
    path = full;
  }
  return strncmp(path, under, strlen(under)) == 0;
}

static int IsOpenBelow(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0) return 0;
  path[n] = '\0';
  return path[0] == '/' && IsBelow(path);  // no socket, no pipe
}

static void Hit(void) {
  const char* note = getenv("FAULT_HIT");
  const int fd = note == NULL ? -1
                              : NEXT(int (*)(const char*, int, ...), "open")(
                                    note, O_WRONLY | O_CREAT, 0600);
  if (fd >= 0) NEXT(int (*)(int), "close")(fd);
}

// The errno this call is to fail with, 0 when it is not its turn.
static int Fault(int below, int interruptible) {
  static const struct {
    const char* name;
    int number;
  } kinds[] = {
      {"ENOSPC", ENOSPC}, {"EIO", EIO}, {"EROFS", EROFS}, {"EINTR", EINTR}};
  const char* at = getenv("FAULT_AT");
  if (!below || at == NULL) return 0;
  if (strcmp(Kind(), "EINTR") == 0 && !interruptible) return 0;
  const int turn = atoi(at);
  if (atomic_exchange(&counted_for, turn) != turn) seen = 0;
  if (atomic_fetch_add(&seen, 1) + 1 != turn) return 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (strcmp(Kind(), kinds[i].name) == 0) {
      Hit();
      return kinds[i].number;
    }
  }
  return 0;
}

#define FAIL_IF_TURN(below, interruptible)              \
  do {                                                  \
    const int fault_ = Fault((below), (interruptible)); \
    if (fault_ != 0) {                                  \
      errno = fault_;                                   \
      return -1;                                        \
    }                                                   \
  } while (0)

static int Writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }

static mode_t ModeOf(int flags, va_list list) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
}

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = ModeOf(flags, list);
  va_end(list);
  FAIL_IF_TURN(Writes(flags) && IsBelow(path), 0);
  return NEXT(int (*)(const char*, int, ...), "open")(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = ModeOf(flags, list);
  va_end(list);
  FAIL_IF_TURN(Writes(flags) && IsBelow(path), 0);
  return NEXT(int (*)(const char*, int, ...), "open64")(path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  const int fault = Fault(mode[0] != 'r' && IsBelow(path), 0);
  if (fault != 0) {
    errno = fault;
    return NULL;
  }
  return NEXT(FILE * (*)(const char*, const char*), "fopen")(path, mode);
}

FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

ssize_t write(int fd, const void* data, size_t size) {
  const int below = IsOpenBelow(fd);
  FAIL_IF_TURN(below, 1);
  if (below && size > 1 && strcmp(Kind(), "short") == 0) {
    Hit();
    size = 1;
  }
  return NEXT(ssize_t(*)(int, const void*, size_t), "write")(fd, data, size);
}

static ssize_t WriteAt(const char* name, int fd, const void* data, size_t size,
                       off64_t at) {
  const int below = IsOpenBelow(fd);
  FAIL_IF_TURN(below, 1);
  if (below && size > 1 && strcmp(Kind(), "short") == 0) {
    Hit();
    size = 1;
  }
  return NEXT(ssize_t(*)(int, const void*, size_t, off64_t), name)(fd, data,
                                                                   size, at);
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t at) {
  return WriteAt("pwrite", fd, data, size, at);
}

ssize_t pwrite64(int fd, const void* data, size_t size, off64_t at) {
  return WriteAt("pwrite64", fd, data, size, at);
}

int ftruncate(int fd, off_t size) {
  FAIL_IF_TURN(IsOpenBelow(fd), 0);
  return NEXT(int (*)(int, off_t), "ftruncate")(fd, size);
}

int ftruncate64(int fd, off64_t size) {
  FAIL_IF_TURN(IsOpenBelow(fd), 0);
  return NEXT(int (*)(int, off64_t), "ftruncate64")(fd, size);
}

ssize_t read(int fd, void* data, size_t size) {
  const int below = IsOpenBelow(fd);
  if (strcmp(Kind(), "EINTR") == 0) FAIL_IF_TURN(below, 1);
  if (below && size > 1 && strcmp(Kind(), "short") == 0) {
    Hit();
    size = 1;
  }
  return NEXT(ssize_t(*)(int, void*, size_t), "read")(fd, data, size);
}

int fsync(int fd) {
  FAIL_IF_TURN(IsOpenBelow(fd), 0);
  return NEXT(int (*)(int), "fsync")(fd);
}

int fdatasync(int fd) {
  FAIL_IF_TURN(IsOpenBelow(fd), 0);
  return NEXT(int (*)(int), "fdatasync")(fd);
}

// The file is closed all the same, as Linux does.
int close(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  const int fault = Fault(flags >= 0 && Writes(flags) && IsOpenBelow(fd), 0);
  const int result = NEXT(int (*)(int), "close")(fd);
  if (fault == 0) return result;
  errno = fault;
  return -1;
}

int rename(const char* from, const char* to) {
  FAIL_IF_TURN(IsBelow(to), 0);
  return NEXT(int (*)(const char*, const char*), "rename")(from, to);
}

int mkdir(const char* path, mode_t mode) {
  FAIL_IF_TURN(IsBelow(path), 0);
  return NEXT(int (*)(const char*, mode_t), "mkdir")(path, mode);
}
