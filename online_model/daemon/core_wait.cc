#include "online_model/daemon/core_wait.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <utility>

namespace ranksight::online_model {
namespace {

// As often as page and monitor ask; a shorter time says more of one turn of the
// scheduler than of who has the cores.
constexpr std::chrono::milliseconds kAtLeast{500};

}  // namespace

std::optional<int64_t> ParseQueued(std::string_view schedstat) {
  const size_t at = schedstat.find(' ');
  if (at == std::string_view::npos) return std::nullopt;
  int64_t ns = 0;
  const char* end = schedstat.data() + schedstat.size();
  const auto read = std::from_chars(schedstat.data() + at + 1, end, ns);
  if (read.ec != std::errc() || ns < 0) return std::nullopt;
  return ns;
}

std::optional<int64_t> QueuedNs() {
  const int file = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  char text[96];  // three numbers of 20 digits at most
  const ssize_t length = ::read(file, text, sizeof text);
  ::close(file);
  if (length <= 0) return std::nullopt;
  return ParseQueued({text, size_t(length)});
}

CoreWait::CoreWait(std::function<std::optional<int64_t>()> queued_ns,
                   std::function<Time()> now)
    : queued_ns_(std::move(queued_ns)), now_(std::move(now)) {
  Begin();
}

void CoreWait::Begin() {
  since_ = now_();
  queued_then_ = queued_ns_();
  waits_ = false;
}

bool CoreWait::Waits() {
  const Time now = now_();
  if (now - since_ < kAtLeast) return waits_;
  const auto queued = queued_ns_();
  const std::chrono::nanoseconds took = now - since_;
  waits_ =
      queued && queued_then_ && 2 * (*queued - *queued_then_) > took.count();
  since_ = now;
  queued_then_ = queued;
  return waits_;
}

}  // namespace ranksight::online_model
