#include "online_model/api/keys.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

constexpr size_t kKeyBytes = 32;

Status SystemError(const std::string& path) {
  return Status::Io(path + ": " + std::strerror(errno));
}

std::string SecretFile(const std::string& directory) {
  return directory + "/secret.key";
}
std::string AllowedFile(const std::string& directory) {
  return directory + "/allowed";
}

Status MakeFolder(const std::string& path) {
  if (path.empty()) return Status::Usage("no folder for keys is named");
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
      return SystemError(part);
    }
    if (end == std::string::npos) return Status::Ok();
  }
}

// flags: besides O_WRONLY and O_CREAT. EEXIST is for the caller.
Status WritePrivate(const std::string& path, const std::string& text,
                    int flags) {
  const int fd = ::open(
      path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
  if (fd < 0) return SystemError(path);
  const bool written =
      ::write(fd, text.data(), text.size()) == ssize_t(text.size()) &&
      ::fsync(fd) == 0;
  const Status status = written ? Status::Ok() : SystemError(path);
  ::close(fd);
  return status;
}

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
  const Status s = WritePrivate(
      path, std::string(public_key) + "\n" + secret_key + "\n", O_EXCL);
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
  const auto allowed = ReadAllowed(directory);
  if (!allowed.ok()) return allowed.status();
  for (const AllowedKey& entry : *allowed) {
    if (entry.key == key) return Status::Ok();
  }
  return WritePrivate(AllowedFile(directory),
                      key + (name.empty() ? "" : " " + name) + "\n", O_APPEND);
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
