// ServingLock: who holds it is the only server on a store. The system gives it
// back when the process ends, however it does.
// Thread-safety: one thread.
#pragma once

#include <string>
#include <utility>

#include "reduction/api/status.h"

namespace ranksight::online_model {

class ServingLock {
 public:
  // kIo where another server has it. Where the file system has no locks, it is
  // given to all. REQUIRES: the directory is there.
  static reduction::Result<ServingLock> Take(const std::string& directory);
  ~ServingLock();
  ServingLock(ServingLock&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)) {}
  ServingLock& operator=(ServingLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

 private:
  explicit ServingLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace ranksight::online_model
