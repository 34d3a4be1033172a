#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "reduction/api/codec.h"
#include "reduction/api/contract.h"
#include "reduction/api/write_all.h"

namespace ranksight::reduction {
namespace {

constexpr int kMaxTries = 100;
constexpr off_t kMaxFileBytes = off_t{1} << 32;

Status SystemError(const std::string& path) {
  return Status::Io(path + ": " + std::strerror(errno));
}

// Closes on every way out.
class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) (void)close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }
  bool Close() {
    const int fd = fd_;
    fd_ = -1;
    return close(fd) == 0;
  }

 private:
  int fd_;
};

// A new file beside path, with the rights any new file gets (mkstemp would
// keep it from the group).
int CreateBeside(const std::string& path, std::string* beside) {
  const std::string process = std::to_string(getpid()) + ".";
  std::string stem = path + "." + process;
  // A name may be as long as names can be.
  const size_t base = path.rfind('/') + 1;
  constexpr size_t kMostDigits = 2;  // of a try
  if (stem.size() + kMostDigits - base > NAME_MAX) {
    stem = path.substr(0, base) + ".ranksight." + process;
  }
  int fd = -1;
  for (int i = 0; i < kMaxTries; ++i) {
    *beside = stem + std::to_string(i);
    fd = open(beside->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) break;
  }
  return fd;
}

// What is no file stays what it is: nobody's /dev/null is to be replaced. Not
// opened where that would wait for somebody to read.
std::optional<Status> WriteIfNoFile(std::span<const uint8_t> bytes,
                                    const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode) ||
      S_ISDIR(info.st_mode)) {
    return std::nullopt;
  }
  File file(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  const bool written = file.fd() >= 0 &&
                       fcntl(file.fd(), F_SETFL, O_WRONLY) == 0 &&
                       WriteAll(file.fd(), bytes) && file.Close();
  return written ? Status::Ok() : SystemError(path);
}

// What an own link says; nothing where there is none.
std::optional<std::string> ReadOwnLink(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode) ||
      (info.st_uid != geteuid() && info.st_uid != 0)) {
    return std::nullopt;
  }
  char text[PATH_MAX];
  const ssize_t size = readlink(path.c_str(), text, sizeof(text));
  if (size <= 0 || size == ssize_t(sizeof(text))) return std::nullopt;
  return std::string(text, size_t(size));
}

// So that the new name outlives a crash of the machine. Not every file
// system can sync a directory, so failure here is no failure.
void SyncDirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string directory =
      slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const File d(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (d.fd() >= 0) (void)fsync(d.fd());
}

}  // namespace

bool WriteAll(int fd, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

std::string FollowOwnLinks(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  std::string place = path;
  for (int i = 0; i < kMostLinks; ++i) {
    const auto target = ReadOwnLink(place);
    if (!target) return place;
    const size_t folder =
        target->front() == '/' ? 0 : place.rfind('/') + 1;  // npos + 1 is 0
    place = place.substr(0, folder) + *target;
  }
  return path;  // links in a ring
}

Status WriteFileAtomically(std::span<const uint8_t> bytes,
                           const std::string& named, Outlives outlives) {
  RANKSIGHT_REQUIRE(!named.empty());
  if (const auto written = WriteIfNoFile(bytes, named)) return *written;
  // A link of the user's stays one; what it leads to is replaced.
  const std::string path = FollowOwnLinks(named);
  const bool sync = outlives == Outlives::kMachine;
  std::string beside;
  File file(CreateBeside(path, &beside));
  if (file.fd() < 0) return SystemError(path);
  const bool written =
      WriteAll(file.fd(), bytes) && (!sync || fsync(file.fd()) == 0);
  if (!written || !file.Close() || rename(beside.c_str(), path.c_str()) != 0) {
    const Status status = SystemError(path);
    (void)unlink(beside.c_str());
    return status;
  }
  // The rename itself is in the directory.
  if (sync) SyncDirectoryOf(path);
  return Status::Ok();
}

Result<std::vector<uint8_t>> ReadWholeFile(const std::string& path) {
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd() < 0) return SystemError(path);
  struct stat info {};
  if (fstat(file.fd(), &info) != 0) return SystemError(path);
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return SystemError(path);
  }
  if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) {
    return Status::Io(path + ": a device, not a file");
  }
  if (info.st_size > kMaxFileBytes) {
    errno = EFBIG;
    return SystemError(path);
  }
  std::vector<uint8_t> bytes;
  size_t filled = 0;
  // One more than the size, so that the end is seen without growing.
  bytes.resize(static_cast<size_t>(info.st_size) + 1);
  while (true) {
    if (filled > uint64_t{kMaxFileBytes}) {
      errno = EFBIG;
      return SystemError(path);
    }
    if (filled == bytes.size()) bytes.resize(2 * bytes.size());
    const ssize_t n =
        read(file.fd(), bytes.data() + filled, bytes.size() - filled);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError(path);
    if (n == 0) break;
    filled += static_cast<size_t>(n);
  }
  bytes.resize(filled);
  return bytes;
}

namespace {

template <class T>
Result<T> ReadFileBy(const std::string& path,
                     Result<T> (*decode)(std::span<const uint8_t>)) {
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  Result<T> read = decode(*bytes);
  if (read.ok()) return read;
  return Status(read.status().code(), path + ":" + read.status().message());
}

}  // namespace

Result<Trace> ReadTraceFile(const std::string& path) {
  return ReadFileBy(path, Decode);
}

Result<TraceHead> ReadTraceHead(const std::string& path) {
  return ReadFileBy(path, DecodeHead);
}

Result<std::vector<uint8_t>> EncodeForFile(const Trace& trace) {
  std::vector<uint8_t> bytes = Encode(trace, SketchForm::kQuantiles);
  if (!Decode(bytes).ok()) {
    return Status::No("a trace of " + std::to_string(trace.meta.ranks) +
                      " ranks in " + std::to_string(bytes.size()) +
                      " bytes describes more than readers take from a file of "
                      "its size; a few million ranks are possible");
  }
  return bytes;
}

Status WriteTraceFile(const Trace& trace, const std::string& path) {
  const auto bytes = EncodeForFile(trace);
  return bytes.ok() ? WriteFileAtomically(*bytes, path) : bytes.status();
}

}  // namespace ranksight::reduction
