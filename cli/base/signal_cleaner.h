// SignalCleaner: for its lifetime, a folder goes with us when SIGINT, SIGTERM
// or SIGHUP ends us. While RunProgram runs a program, that has them instead.
// Thread-safety: one at a time.
#pragma once

#include <semaphore.h>

#include <array>
#include <csignal>
#include <string>
#include <thread>

namespace ranksight::cli {

class SignalCleaner {
 public:
  explicit SignalCleaner(std::string folder);
  ~SignalCleaner();
  SignalCleaner(const SignalCleaner&) = delete;
  SignalCleaner& operator=(const SignalCleaner&) = delete;

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  void Wait();

  std::string folder_;
  std::array<struct sigaction, kSignals.size()> before_{};
  std::thread thread_;
};

}  // namespace ranksight::cli
