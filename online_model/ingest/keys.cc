#include "online_model/api/keys.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "online_model/store/files.h"
#include "reduction/api/write_all.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

constexpr char kAllowed[] = "allowed";

Status SystemError(const std::string& path) {
  return Status::Io(path + ": " + std::strerror(errno));
}

std::string SecretFile(const std::string& directory) {
  return directory + "/secret.key";
}
std::string AllowedFile(const std::string& directory) {
  return directory + "/" + kAllowed;
}

Status MakeFolder(const std::string& path) {
  if (path.empty()) return Status::Usage("no folder for keys is named");
  return MakePrivateDirectory(path);
}

// A file that nobody else makes at the same time, or none.
Status WriteNewPrivate(const std::string& path, const std::string& text) {
  const int fd = ::open(
      path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return SystemError(path);
  bool written = reduction::WriteAll(fd, text) && ::fsync(fd) == 0;
  int error = errno;
  if (::close(fd) != 0 && written) {
    written = false;
    error = errno;
  }
  if (written) return Status::Ok();
  ::unlink(path.c_str());
  return Status::Io(path + ": " + std::strerror(error));
}

// Holds back others that change files of the folder, until it goes.
class FolderLock {
 public:
  explicit FolderLock(const std::string& directory)
      : fd_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ >= 0) (void)::flock(fd_, LOCK_EX);
  }
  ~FolderLock() {
    if (fd_ >= 0) (void)::close(fd_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

Status CheckPrivate(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return SystemError(path);
  if (info.st_uid != ::geteuid() || (info.st_mode & 077) != 0) {
    return Status::Usage(path +
                         ": others may read or own it; a key file is its "
                         "owner's and has mode 0600");
  }
  return Status::Ok();
}

}  // namespace

std::string DefaultKeysDirectory() {
  if (const char* named = std::getenv("RANKSIGHT_KEYS")) return named;
  if (const char* config = std::getenv("XDG_CONFIG_HOME")) {
    return std::string(config) + "/ranksight";
  }
  if (const char* home = std::getenv("HOME")) {
    return std::string(home) + "/.config/ranksight";
  }
  return {};
}

bool IsKey(const std::string& text) {
  uint8_t bytes[kKeyBytes];
  return text.size() == kKeyCharacters &&
         text.find('\0') == std::string::npos &&
         zmq_z85_decode(bytes, text.c_str()) != nullptr;
}

Result<KeyPair> NewKeys(const std::string& directory) {
  if (Status s = MakeFolder(directory); !s.ok()) return s;
  char public_key[kKeyCharacters + 1], secret_key[kKeyCharacters + 1];
  // A key that starts with a letter or digit is never taken for an option.
  do {
    if (zmq_curve_keypair(public_key, secret_key) != 0) {
      return Status::Io("this ZeroMQ has no CURVE");
    }
  } while (std::isalnum(static_cast<unsigned char>(public_key[0])) == 0);
  const std::string path = SecretFile(directory);
  if (::access(path.c_str(), F_OK) == 0) {
    return Status::No(path + " is there already; keys are not overwritten");
  }
  const Status s =
      WriteNewPrivate(path, std::string(public_key) + "\n" + secret_key + "\n");
  if (!s.ok()) return s;
  return KeyPair{public_key, secret_key};
}

Result<KeyPair> ReadKeys(const std::string& directory) {
  const std::string path = SecretFile(directory);
  if (Status s = CheckPrivate(path); !s.ok()) return s;
  std::ifstream file(path);
  KeyPair keys;
  std::getline(file, keys.public_key);
  std::getline(file, keys.secret_key);
  char derived[kKeyCharacters + 1];
  if (!IsKey(keys.public_key) || !IsKey(keys.secret_key) ||
      zmq_curve_public(derived, keys.secret_key.c_str()) != 0 ||
      keys.public_key != derived) {
    return Status::BadInput(path + ":0: not a pair of keys");
  }
  return keys;
}

Status AllowKey(const std::string& directory, const std::string& key,
                const std::string& name) {
  if (!IsKey(key)) {
    return Status::Usage("'" + key + "' is no public key (40 characters Z85)");
  }
  if (name.find('\n') != std::string::npos) {
    return Status::Usage("a name is one line");
  }
  if (Status s = MakeFolder(directory); !s.ok()) return s;
  const FolderLock lock(directory);
  const auto allowed = ReadAllowed(directory);
  if (!allowed.ok()) return allowed.status();
  for (const AllowedKey& entry : *allowed) {
    if (entry.key == key) return Status::Ok();
  }
  std::ifstream old(AllowedFile(directory));
  std::string text{std::istreambuf_iterator<char>(old), {}};
  if (!text.empty() && text.back() != '\n') text += '\n';
  text += key + (name.empty() ? "" : " " + name) + "\n";
  return WriteDurably(directory, kAllowed, text);
}

Status ForbidKey(const std::string& directory, const std::string& key) {
  const FolderLock lock(directory);
  const auto allowed = ReadAllowed(directory);
  if (!allowed.ok()) return allowed.status();
  std::ifstream old(AllowedFile(directory));
  std::string text;
  bool found = false;
  for (std::string line; std::getline(old, line);) {
    if (line.substr(0, kKeyCharacters) == key) {
      found = true;
    } else {
      text += line + "\n";
    }
  }
  if (!found) return Status::No("'" + key + "' is not among the allowed keys");
  return WriteDurably(directory, kAllowed, text);
}

Result<std::vector<AllowedKey>> ReadAllowed(const std::string& directory) {
  const std::string path = AllowedFile(directory);
  std::vector<AllowedKey> out;
  if (::access(path.c_str(), F_OK) != 0) return out;
  if (Status s = CheckPrivate(path); !s.ok()) return s;
  std::ifstream file(path);
  if (!file) return SystemError(path);
  size_t offset = 0;
  // Z85 itself uses #: a comment is a line that starts with "# ".
  for (std::string line; std::getline(file, line);) {
    const size_t start = offset;
    offset += line.size() + 1;
    if (line.empty() || line == "#" || line.rfind("# ", 0) == 0) continue;
    AllowedKey entry{line.substr(0, kKeyCharacters), ""};
    if (!IsKey(entry.key) ||
        (line.size() > kKeyCharacters && line[kKeyCharacters] != ' ')) {
      return Status::BadInput(path + ":" + std::to_string(start) +
                              ": not a public key and a name");
    }
    if (line.size() > kKeyCharacters) {
      entry.name = line.substr(kKeyCharacters + 1);
    }
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace ranksight::online_model
