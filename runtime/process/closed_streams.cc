#include "runtime/process/closed_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace ranksight::runtime {
namespace {

// Reading or writing it fails with EBADF.
int OpenNothing() { return open("/", O_PATH | O_CLOEXEC); }

bool IsNothing(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_PATH) != 0;
}

}  // namespace

ClosedStreams::ClosedStreams() noexcept {
  if (!SomeStreamIsClosed()) return;
  const int error = errno;
  while (count_ < kStreams) {
    const int fd = OpenNothing();
    if (fd >= kStreams) close(fd);
    if (fd < 0 || fd >= kStreams) break;
    taken_[count_++] = fd;
  }
  errno = error;
}

ClosedStreams::~ClosedStreams() {
  // Another thread may have put a file of the program's there.
  for (int i = 0; i < count_; ++i) {
    if (IsNothing(taken_[i])) close(taken_[i]);
  }
}

bool SomeStreamIsClosed() noexcept {
  const int error = errno;
  bool some = false;
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    some = some || fcntl(fd, F_GETFD) < 0;
  }
  errno = error;
  return some;
}

}  // namespace ranksight::runtime
