// Progress of work that takes long, on a terminal: a line that says what is
// being done and for how long, redrawn in place and gone at the end. Silent
// for the first two seconds, and always where stderr is no terminal.
// Thread-safety: one Progress at a time; it draws on a thread of its own, so
// nothing else may write to stderr meanwhile.
#pragma once

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace ranksight::cli {

class Progress {
 public:
  explicit Progress(std::string what,
                    std::chrono::milliseconds silent = std::chrono::seconds(2),
                    int terminal = STDERR_FILENO);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void Draw();

  const std::string what_;
  const std::chrono::milliseconds silent_;
  const int terminal_;
  std::mutex mutex_;  // guards ended_
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread thread_;  // not joinable where there is no terminal
};

// What work() returns, with progress shown meanwhile.
template <class F>
auto WithProgress(std::string what, F&& work) {
  const Progress progress(std::move(what));
  return work();
}

}  // namespace ranksight::cli
