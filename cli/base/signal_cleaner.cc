#include "cli/base/signal_cleaner.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace ranksight::cli {
namespace {

// What a handler may touch.
std::atomic<int> caught = 0;
sem_t awake;

void Catch(int signal) {
  const int saved = errno;
  caught = signal;
  (void)sem_post(&awake);
  errno = saved;
}

}  // namespace

SignalCleaner::SignalCleaner(std::string folder) : folder_(std::move(folder)) {
  caught = 0;
  (void)sem_init(&awake, 0, 0);
  // RunProgram holds signals back where it works; none may come here instead.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { Wait(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  for (size_t i = 0; i < kSignals.size(); ++i) {
    (void)sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = Catch;
    action.sa_flags = SA_RESTART;
    (void)sigaction(kSignals[i], &action, nullptr);
  }
}

SignalCleaner::~SignalCleaner() {
  for (size_t i = 0; i < kSignals.size(); ++i) {
    (void)sigaction(kSignals[i], &before_[i], nullptr);
  }
  (void)sem_post(&awake);
  thread_.join();
  (void)sem_destroy(&awake);
}

// Here, because a handler can remove nothing.
void SignalCleaner::Wait() {
  while (sem_wait(&awake) != 0) {
  }
  const int signal = caught;
  if (signal == 0) return;
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
  // Ends us as it would have.
  (void)std::signal(signal, SIG_DFL);
  (void)kill(getpid(), signal);
}

}  // namespace ranksight::cli
