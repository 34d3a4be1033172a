// A file of ours that grows beyond the process's limit (ulimit -f) is one that
// cannot be written, and no reason to end the program, as SIGXFSZ would.
#pragma once

#include <signal.h>

namespace ranksight::runtime {

// While it lives, writing beyond the limit fails (EFBIG) and nothing else
// happens in this thread. Brief. A signal that somebody sent stays.
// Thread-safety: each thread for itself.
class FileLimit {
 public:
  FileLimit() noexcept;
  ~FileLimit();
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  sigset_t before_;
  bool blocked_ = false;  // by us; else nothing is to be taken back
};

}  // namespace ranksight::runtime
