#include "runtime/process/file_limit.h"

#include <cerrno>
#include <ctime>

namespace ranksight::runtime {
namespace {

sigset_t LimitAlone() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

bool IsPending() {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

}  // namespace

FileLimit::FileLimit() noexcept {
  // One that waits already is the program's.
  if (IsPending()) return;
  const sigset_t limit = LimitAlone();
  blocked_ = pthread_sigmask(SIG_BLOCK, &limit, &before_) == 0;
}

FileLimit::~FileLimit() {
  if (!blocked_) return;
  const int error = errno;
  const sigset_t limit = LimitAlone();
  constexpr timespec kNoTime = {0, 0};
  while (IsPending() && sigtimedwait(&limit, nullptr, &kNoTime) < 0 &&
         errno == EINTR) {
  }
  (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

}  // namespace ranksight::runtime
