#include "cli/base/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <csignal>

#include "reduction/api/contract.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

constexpr std::chrono::milliseconds kBetween{500};
// Of it more is not told as done, though what comes last is not told at all.
constexpr double kAlmostDone = 0.995;
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
    : silent_(silent),
      every_(every),
      terminal_(terminal),
      start_(std::chrono::steady_clock::now()),
      what_(reduction::ShownName(what)),
      attempt_start_(start_) {
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

void Progress::Tell(double share) {
  RANKSIGHT_REQUIRE(share >= 0 && share <= 1);
  constexpr double kAnotherAttempt = 0.1;
  const std::lock_guard lock(telling_);
  if (share <= share_ - kAnotherAttempt) {
    ++attempt_;
    attempt_start_ = std::chrono::steady_clock::now();
    share_ = share;
  }
  share_ = std::max(share_, share);
}

void Progress::Tell(const std::string& step, double share) {
  const std::string shown = reduction::ShownName(step);
  {
    const std::lock_guard lock(telling_);
    if (shown != what_) {
      what_ = shown;
      share_ = 0;
      attempt_ = 1;
      attempt_start_ = std::chrono::steady_clock::now();
    }
  }
  Tell(share);
}

std::string Progress::What() const {
  const std::lock_guard lock(telling_);
  return what_;
}

std::string Progress::HowFar() const {
  const auto now = std::chrono::steady_clock::now();
  const auto seconds_since = [now](std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(now - then).count();
  };
  const auto seconds = static_cast<int64_t>(seconds_since(start_));
  const std::lock_guard lock(telling_);
  if (!(share_ > 0)) return fmt::format(", {} s", seconds);
  const std::string attempt =
      attempt_ > 1 ? fmt::format(" attempt {}:", attempt_) : "";
  if (share_ >= kAlmostDone) {
    return fmt::format(",{} last step, {} s", attempt, seconds);
  }
  return fmt::format(",{} {:.0f} % done, {} s, about {:.0f} s left", attempt,
                     100 * share_, seconds,
                     seconds_since(attempt_start_) * (1 - share_) / share_);
}

void Progress::AddLines(std::unique_lock<std::mutex>* lock) {
  while (!ends_.wait_for(*lock, every_, [this] { return ended_; })) {
    Write(terminal_, fmt::format("{}{}{}\n", kBegin, What(), HowFar()));
  }
}

void Progress::Draw(std::unique_lock<std::mutex>* lock) {
  const auto ended = [this] { return ended_; };
  if (ends_.wait_for(*lock, silent_, ended)) return;
  do {
    const std::string end = HowFar();
    Write(terminal_,
          fmt::format("{}{}{}{}", kClear, kBegin,
                      Fitting(What(), kBegin.size() + end.size(), terminal_),
                      end));
  } while (!ends_.wait_for(*lock, kBetween, ended));
  Write(terminal_, kClear);
}

}  // namespace ranksight::cli
