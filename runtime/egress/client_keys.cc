#include "runtime/egress/client_keys.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "runtime/process/start_folder.h"

namespace ranksight::runtime {
namespace {

constexpr size_t kKeyCharacters = 40;
constexpr size_t kFileBytes = 2 * (kKeyCharacters + 1);

// The file's start; empty when it is not its owner's alone.
std::string ReadPrivate(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  struct stat info {};
  char bytes[kFileBytes];
  ssize_t n = 0;
  if (::fstat(fd, &info) == 0 && info.st_uid == ::geteuid() &&
      (info.st_mode & 077) == 0) {
    n = ::read(fd, bytes, sizeof bytes);
  }
  ::close(fd);
  return std::string(bytes, n > 0 ? size_t(n) : 0);
}

}  // namespace

std::optional<ClientKeys> ReadClientKeys() {
  ClientKeys keys;
  const char* server = std::getenv("RANKSIGHT_SERVER_KEY");
  if (server == nullptr || *server == '\0') return keys;
  const char* path = std::getenv("RANKSIGHT_KEY");
  const std::string text =
      path == nullptr ? "" : ReadPrivate(FromStartFolder(path));
  keys.server = server;
  if (keys.server.size() != kKeyCharacters || text.size() != kFileBytes ||
      text[kKeyCharacters] != '\n') {
    return std::nullopt;
  }
  keys.own_public = text.substr(0, kKeyCharacters);
  keys.own_secret = text.substr(kKeyCharacters + 1, kKeyCharacters);
  return keys;
}

}  // namespace ranksight::runtime
