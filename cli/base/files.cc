#include "cli/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "reduction/api/codec.h"
#include "reduction/api/distribution.h"
#include "reduction/api/write_all.h"

namespace ranksight::cli {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

namespace {

Status Trouble(const std::string& path, int error) {
  return Status::Io(path + ": " + std::strerror(error));
}

// Writes a file and removes it; kIo says that it was about `path`.
Status TryFile(const std::string& file, const std::string& path) {
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  bool written = fd >= 0 && reduction::WriteAll(fd, std::string_view("?"));
  int error = errno;
  if (fd >= 0) {
    if (close(fd) != 0 && written) {
      written = false;
      error = errno;
    }
    (void)unlink(file.c_str());
  }
  return written ? Status::Ok() : Trouble(path, error);
}

Status TryDevice(const std::string& path, mode_t mode) {
  // A pipe that is opened and closed is at its end for who reads it.
  if (!S_ISCHR(mode)) {
    return access(path.c_str(), W_OK) == 0 ? Status::Ok()
                                           : Trouble(path, errno);
  }
  const int fd = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  const bool writable = fd >= 0 && write(fd, "", 0) == 0;
  const int error = errno;
  if (fd >= 0) (void)close(fd);
  return writable ? Status::Ok() : Trouble(path, error);
}

}  // namespace

Result<std::vector<Trace>> ReadTraces(const std::vector<std::string>& paths) {
  std::vector<Trace> traces;
  for (const std::string& path : paths) {
    auto trace = reduction::ReadTraceFile(path);
    if (!trace.ok()) return trace.status();
    traces.push_back(std::move(*trace));
  }
  return traces;
}

Result<Trace> ReadExactTrace(const std::string& path) {
  auto trace = reduction::ReadTraceFile(path);
  if (!trace.ok()) return trace;
  const Status exact = RequireValues(*trace);
  if (!exact.ok()) return Status(exact.code(), path + ": " + exact.message());
  return trace;
}

Result<std::vector<Trace>> ReadExactTraces(
    const std::vector<std::string>& paths) {
  std::vector<Trace> traces;
  for (const std::string& path : paths) {
    auto trace = ReadExactTrace(path);
    if (!trace.ok()) return trace.status();
    traces.push_back(std::move(*trace));
  }
  return traces;
}

Status Named(const std::string& file, const Status& status) {
  return {status.code(), file + ": " + status.message()};
}

Status CheckFolder(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return Status::Ok();
  return Status::Io(path + ": no such folder");
}

Status CheckThere(const std::string& path) {
  return access(path.c_str(), F_OK) == 0 ? Status::Ok() : Trouble(path, errno);
}

uint64_t FileBytes(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  return error ? 0 : bytes;
}

Status WriteTextFile(std::string_view text, const std::string& path) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  return reduction::WriteFileAtomically({bytes, text.size()}, path);
}

Status CheckWritable(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode)) {
    // As long as the name is, which may be too long.
    const size_t base = path.rfind('/') + 1;
    std::string trial = ".try" + std::to_string(getpid());
    if (trial.size() < path.size() - base)
      trial.resize(path.size() - base, '_');
    return TryFile(path.substr(0, base) + trial, path);
  }
  if (S_ISDIR(info.st_mode)) return Trouble(path, EISDIR);
  return TryDevice(path, info.st_mode);
}

Status CheckFolderWritable(const std::string& folder) {
  return TryFile(folder + "/.try" + std::to_string(getpid()), folder);
}

Result<int64_t> TimeOfFolder(const std::string& folder) {
  const std::string path = folder + "/.time" + std::to_string(getpid());
  const int fd = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0) return Trouble(folder, errno);
  struct stat info {};
  const int failed = fstat(fd, &info);
  close(fd);
  unlink(path.c_str());
  if (failed != 0) return Trouble(folder, errno);
  constexpr int64_t kSecond = 1'000'000'000;
  return int64_t(info.st_mtim.tv_sec) * kSecond + info.st_mtim.tv_nsec;
}

Status MakeDirectories(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error) return Status::Ok();
  return Status::Io(path + ": " + error.message());
}

NewFile::NewFile(std::string path) : path_(std::move(path)), before_(Now()) {}

Status NewFile::Check() const {
  const Stamp now = Now();
  if (now.other || (now.file && now != before_)) return Status::Ok();
  return Status::Io(path_ + ": was not written");
}

NewFile::Stamp NewFile::Now() const {
  struct stat info {};
  if (stat(path_.c_str(), &info) != 0) return {};
  const bool file = S_ISREG(info.st_mode);
  return {info.st_ino, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, file, !file};
}

}  // namespace ranksight::cli
