#include "cli/base/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "reduction/api/codec.h"
#include "reduction/api/distribution.h"
#include "reduction/api/write_all.h"

namespace ranksight::cli {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

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

Status CheckFolder(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return Status::Ok();
  return Status::Io(path + ": no such folder");
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
  const std::string beside = path + ".try" + std::to_string(getpid());
  const int fd = open(beside.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  bool written = fd >= 0 && reduction::WriteAll(fd, std::string_view("?"));
  int error = errno;
  if (fd >= 0) {
    if (close(fd) != 0 && written) {
      written = false;
      error = errno;
    }
    (void)unlink(beside.c_str());
  }
  if (written) return Status::Ok();
  return Status::Io(path + ": " + std::strerror(error));
}

Status MakeDirectories(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error) return Status::Ok();
  return Status::Io(path + ": " + error.message());
}

}  // namespace ranksight::cli
