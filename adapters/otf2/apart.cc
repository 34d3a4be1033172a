#include "adapters/otf2/apart.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/write_all.h"

namespace ranksight::adapters::otf2 {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::StatusCode;
using reduction::Trace;
using Bytes = std::vector<uint8_t>;

constexpr uint64_t kLeastCpuSeconds = 5;
constexpr uint64_t kBytesPerCpuSecond = 256 << 10;
constexpr uint64_t kLeastMemoryBytes = uint64_t{1} << 30;
constexpr uint64_t kMemoryPerByte = 256;

// The first byte of what the child writes.
constexpr uint8_t kRead = 0xff;  // a trace; else the code of a status

void Limit(int what, uint64_t most) {
  const rlimit limit{most, most + 1};  // a signal of its own comes first
  (void)::setrlimit(static_cast<__rlimit_resource>(what), &limit);
}

uint64_t AddressSpaceBytes() {
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * uint64_t(::sysconf(_SC_PAGESIZE));
}

[[noreturn]] void Child(const ApartLimits& limits, int out,
                        const std::function<Result<Trace>()>& read) {
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_CPU, limits.cpu_seconds);
  Limit(RLIMIT_AS, AddressSpaceBytes() + limits.memory_bytes);
  Bytes answer;
  try {
    const Result<Trace> trace = read();
    if (trace.ok()) {
      answer = reduction::Encode(*trace, reduction::SketchForm::kFull);
      answer.insert(answer.begin(), kRead);
    } else {
      const std::string& message = trace.status().message();
      answer.push_back(static_cast<uint8_t>(trace.status().code()));
      answer.insert(answer.end(), message.begin(), message.end());
    }
  } catch (...) {  // no memory
    ::_exit(1);
  }
  ::_exit(reduction::WriteAll(out, answer) ? 0 : 1);
}

Bytes ReadToEnd(int from) {
  Bytes bytes;
  uint8_t part[65536];
  for (;;) {
    const ssize_t n = ::read(from, part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return bytes;
    bytes.insert(bytes.end(), part, part + n);
  }
}

// Why the child said nothing, empty when it ended as it should.
std::string EndOf(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return "reading it failed";
  }
  if (WIFEXITED(status)) {
    return WEXITSTATUS(status) == 0 ? "" : "reading it takes too much memory";
  }
  const int signal = WTERMSIG(status);
  if (signal == SIGXCPU) return "reading it never ends";
  return std::string("its library fails on it: ") + ::strsignal(signal);
}

Result<Trace> Answer(const Bytes& answer) {
  const std::span<const uint8_t> rest = std::span(answer).subspan(1);
  if (answer[0] == kRead) return reduction::Decode(rest);
  return Status(static_cast<StatusCode>(answer[0]),
                std::string(rest.begin(), rest.end()));
}

}  // namespace

ApartLimits LimitsFor(uint64_t bytes) {
  return {kLeastCpuSeconds + bytes / kBytesPerCpuSecond,
          kLeastMemoryBytes + bytes * kMemoryPerByte};
}

Result<Trace> ReadApart(const ApartLimits& limits,
                        const std::function<Result<Trace>()>& read) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Status::Io("no pipe is left");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    Child(limits, ends[1], read);
  }
  ::close(ends[1]);
  // Read before its end is waited for: a full pipe would keep the child from
  // ending.
  const Bytes answer = child > 0 ? ReadToEnd(ends[0]) : Bytes();
  ::close(ends[0]);
  if (child < 0) return Status::Io("no process can be started");
  const std::string end = EndOf(child);
  if (end.empty() && !answer.empty()) return Answer(answer);
  return Status::BadInput("0: not a readable OTF2 archive: " +
                          (end.empty() ? "reading it failed" : end));
}

}  // namespace ranksight::adapters::otf2
