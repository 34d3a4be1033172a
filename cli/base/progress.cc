#include "cli/base/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <csignal>

#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

constexpr std::chrono::milliseconds kBetween{500};
constexpr std::string_view kClear = "\r\033[K";
constexpr std::string_view kBegin = "ranksight: ";

void Write(int terminal, std::string_view text) {
  // A terminal that is gone is no reason to stop working.
  (void)!::write(terminal, text.data(), text.size());
}

// So much of the text that it and others have room on a line: one that is
// wrapped is not taken away again.
std::string_view Fitting(std::string_view text, size_t others, int terminal) {
  winsize size{};
  if (::ioctl(terminal, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return text;
  const size_t room = size.ws_col > others ? size.ws_col - others - 1 : 0;
  size_t end = 0;
  for (size_t taken = 0; end < text.size() && taken < room; ++taken) {
    end += std::max<size_t>(1, reduction::Utf8Length(text.substr(end)));
  }
  return text.substr(0, end);
}

}  // namespace

Progress::Progress(std::string what, std::chrono::milliseconds silent,
                   int terminal, std::chrono::milliseconds every)
    : what_(reduction::ShownName(what)),
      silent_(silent),
      every_(every),
      terminal_(terminal),
      start_(std::chrono::steady_clock::now()) {
  // Signals are for the thread that works: RunProgram holds them back there
  // until it knows whom to pass them on to.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { Run(::isatty(terminal_) != 0); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_one();
  thread_.join();
}

void Progress::Run(bool terminal) {
  std::unique_lock lock(mutex_);
  terminal ? Draw(&lock) : AddLines(&lock);
}

std::string Progress::HowFar() const {
  const std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start_;
  const auto seconds = static_cast<int64_t>(taken.count());
  const double share = share_;
  if (!(share > 0)) return fmt::format(", {} s", seconds);
  return fmt::format(", {:.0f} % done, {} s, about {:.0f} s left", 100 * share,
                     seconds, taken.count() * (1 - share) / share);
}

void Progress::AddLines(std::unique_lock<std::mutex>* lock) {
  while (!ends_.wait_for(*lock, every_, [this] { return ended_; })) {
    Write(terminal_, fmt::format("{}{}{}\n", kBegin, what_, HowFar()));
  }
}

void Progress::Draw(std::unique_lock<std::mutex>* lock) {
  const auto ended = [this] { return ended_; };
  if (ends_.wait_for(*lock, silent_, ended)) return;
  do {
    const std::string end = HowFar();
    Write(terminal_,
          fmt::format("{}{}{}{}", kClear, kBegin,
                      Fitting(what_, kBegin.size() + end.size(), terminal_),
                      end));
  } while (!ends_.wait_for(*lock, kBetween, ended));
  Write(terminal_, kClear);
}

}  // namespace ranksight::cli
