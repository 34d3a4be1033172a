#include "cli/base/progress.h"

#include <fmt/format.h>

#include <csignal>

namespace ranksight::cli {
namespace {

constexpr std::chrono::milliseconds kBetween{500};
constexpr std::string_view kClear = "\r\033[K";

void Write(int terminal, std::string_view text) {
  // A terminal that is gone is no reason to stop working.
  (void)!::write(terminal, text.data(), text.size());
}

}  // namespace

Progress::Progress(std::string what, std::chrono::milliseconds silent,
                   int terminal)
    : what_(std::move(what)), silent_(silent), terminal_(terminal) {
  if (::isatty(terminal_) == 0) return;
  // Signals are for the thread that works: RunProgram holds them back there
  // until it knows whom to pass them on to.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { Draw(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_one();
  thread_.join();
}

void Progress::Draw() {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  const auto ended = [this] { return ended_; };
  if (ends_.wait_for(lock, silent_, ended)) return;
  do {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now() - begin);
    Write(terminal_,
          fmt::format("{}ranksight: {}, {} s", kClear, what_, seconds.count()));
  } while (!ends_.wait_for(lock, kBetween, ended));
  Write(terminal_, kClear);
}

}  // namespace ranksight::cli
