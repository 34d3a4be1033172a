#include "online_model/store/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "reduction/api/fnv.h"
#include "reduction/api/write_all.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

constexpr size_t kLongestName = 120;
constexpr size_t kChecksumDigits = 16;

Status SystemError(const std::string& path) {
  return Status::Io(path + ": " + std::strerror(errno));
}

bool Harmless(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

std::string Checksum(const std::string& text) {
  reduction::Fnv hash;
  for (unsigned char c : text) hash.Add(c);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) {
    out += kDigits[(hash.value() >> shift) & 15];
  }
  return out;
}

}  // namespace

std::string SafeName(const std::string& job) {
  std::string name;
  for (char c : job) {
    if (Harmless(c) && !(name.empty() && c == '.')) name += c;
  }
  if (name == job && !name.empty() && name.size() <= kLongestName) return name;
  name.resize(std::min(name.size(), kLongestName - kChecksumDigits - 1));
  if (!name.empty()) name += '-';
  return name + Checksum(job);
}

Status MakePrivateDirectory(const std::string& path) {
  if (path.empty()) return Status::Usage("the store's directory has no name");
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
      return SystemError(part);
    }
    if (end == std::string::npos) break;
  }
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return SystemError(path);
  if (!S_ISDIR(info.st_mode)) return Status::Io(path + ": not a directory");
  return Status::Ok();
}

Status MakePrivateDirectoryIn(const std::string& directory,
                              const std::string& name) {
  const std::string path = directory + "/" + name;
  const bool is_new = ::mkdir(path.c_str(), 0700) == 0;
  if (!is_new) return MakePrivateDirectory(path);
  const int fd =
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return SystemError(path);
  GiveToOwnerOf(directory, fd);
  ::close(fd);
  return Status::Ok();
}

void GiveToOwnerOf(const std::string& directory, int fd) {
  struct stat of {
  }, given{};
  if (::geteuid() != 0 || ::stat(directory.c_str(), &of) != 0 ||
      ::fstat(fd, &given) != 0) {
    return;
  }
  // A file with another name elsewhere is not ours to give away.
  if (S_ISREG(given.st_mode) && given.st_nlink > 1) return;
  // Where the file system cannot, the side-car says which file it cannot read.
  (void)!::fchown(fd, of.st_uid, of.st_gid);
}

Status CheckNotOpenToAll(const std::string& directory) {
  struct stat info {};
  if (::stat(directory.c_str(), &info) != 0) return SystemError(directory);
  if ((info.st_mode & S_IWOTH) == 0) return Status::Ok();
  return Status::Io(directory +
                    ": everybody may write there, so that what it holds may "
                    "be anybody's; `chmod o-w` closes it");
}

Status CheckNoLinkOfOthers(const std::string& path) {
  // With a slash at its end the system would look behind the link.
  std::string name = path;
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  struct stat info {};
  if (::lstat(name.c_str(), &info) != 0) {
    return errno == ENOENT ? Status::Ok() : SystemError(name);
  }
  const bool is_trusted = info.st_uid == ::geteuid() || info.st_uid == 0;
  if (!S_ISLNK(info.st_mode) || is_trusted) return Status::Ok();
  return Status::Io(name +
                    ": a link that another user made, who may have it "
                    "lead elsewhere at any time");
}

Status CheckNoLink(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return SystemError(path);
  if (!S_ISLNK(info.st_mode)) return Status::Ok();
  return Status::Io(path + ": a link to another place, which no store is");
}

Status SyncDirectory(const std::string& directory) {
  const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return SystemError(directory);
  const bool synced = ::fsync(fd) == 0;
  const Status status = synced ? Status::Ok() : SystemError(directory);
  ::close(fd);
  return status;
}

Status WriteDurably(const std::string& directory, const std::string& name,
                    std::span<const uint8_t> bytes) {
  const std::string path = directory + "/" + name;
  const std::string partial = path + kPartialEnding;
  const int fd =
      ::open(partial.c_str(),
             O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return SystemError(partial);
  GiveToOwnerOf(directory, fd);
  const bool written = reduction::WriteAll(fd, bytes) && ::fsync(fd) == 0;
  Status status = written ? Status::Ok() : SystemError(partial);
  ::close(fd);
  if (status.ok() && ::rename(partial.c_str(), path.c_str()) != 0) {
    status = SystemError(path);
  }
  if (!status.ok()) {
    ::unlink(partial.c_str());
    return status;
  }
  return SyncDirectory(directory);
}

Status WriteDurably(const std::string& directory, const std::string& name,
                    std::string_view text) {
  return WriteDurably(
      directory, name,
      std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

reduction::Result<std::vector<FileEntry>> ListFiles(
    const std::string& directory) {
  DIR* dir = ::opendir(directory.c_str());
  if (dir == nullptr) return SystemError(directory);
  std::vector<FileEntry> files;
  while (const dirent* entry = ::readdir(dir)) {
    struct stat info {};
    if (::fstatat(::dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) !=
            0 ||
        !S_ISREG(info.st_mode)) {
      continue;
    }
    files.push_back(
        {entry->d_name, uint64_t(info.st_size),
         int64_t(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec,
         info.st_uid});
  }
  ::closedir(dir);
  std::sort(
      files.begin(), files.end(),
      [](const FileEntry& a, const FileEntry& b) { return a.name < b.name; });
  return files;
}

}  // namespace ranksight::online_model
