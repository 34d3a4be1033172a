#include "online_model/store/serving_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "online_model/store/files.h"

namespace ranksight::online_model {

using reduction::Result;
using reduction::Status;

Result<ServingLock> ServingLock::Take(const std::string& directory) {
  const std::string path = directory + "/serving";
  const int fd =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return Status::Io(path + ": " + std::strerror(errno));
  GiveToOwnerOf(directory, fd);
  ServingLock lock(fd);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return Status::Io(directory +
                      ": another side-car serves this store; stop it, or name "
                      "another folder with --store");
  }
  return lock;
}

ServingLock::~ServingLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace ranksight::online_model
