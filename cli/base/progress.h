// Progress of work that takes long: a line that says what is being done, for
// how long, and where the work tells it how far it is and when it ends. On a
// terminal it is redrawn in place and gone at the end, and comes after two
// seconds; elsewhere, as in the log of a job, a line of its own comes every 30
// s. Thread-safety: one Progress at a time; it draws on a thread of its own, so
// nothing else may write to stderr meanwhile.
#pragma once

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace ranksight::cli {

class Progress {
 public:
  // every: between lines where there is no terminal.
  explicit Progress(std::string what,
                    std::chrono::milliseconds silent = std::chrono::seconds(2),
                    int terminal = STDERR_FILENO,
                    std::chrono::milliseconds every = std::chrono::seconds(30));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // From now on says how much is done, and how long the rest takes at that
  // pace. A share that falls by a tenth or more is of another attempt, which is
  // said and has its own pace; one that falls by less is passed over: threads
  // tell in no order. By any thread. REQUIRES: 0 <= share <= 1; 0 where a step
  // begins.
  void Tell(double share);
  // The same of another step, with a pace of its own, or of the one before.
  // step: what is said from now on in place of what was.
  void Tell(const std::string& step, double share);

 private:
  void Run(bool terminal);
  // Until the work has ended. REQUIRES: mutex_ is held by lock.
  void Draw(std::unique_lock<std::mutex>* lock);
  void AddLines(std::unique_lock<std::mutex>* lock);
  // ", 12 s", or ", 40 % done, 12 s, about 18 s left", or where all is done
  // that is told ", last step, 30 s"; from the second attempt on ", attempt 2:
  // 40 % ...".
  std::string HowFar() const;
  std::string What() const;

  const std::chrono::milliseconds silent_, every_;
  const int terminal_;
  const std::chrono::steady_clock::time_point start_;
  mutable std::mutex telling_;  // guards these four
  std::string what_;            // as it is shown
  double share_ = 0;            // 0: nobody told
  int attempt_ = 1;
  std::chrono::steady_clock::time_point attempt_start_;
  std::mutex mutex_;  // guards ended_
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread thread_;
};

// For work that tells it elsewhere. progress: outlives what is returned.
inline std::function<void(double share)> TellTo(Progress* progress) {
  return [progress](double share) { progress->Tell(share); };
}

// Of one step. progress may be nullptr: nobody is told.
inline std::function<void(double share)> TellTo(Progress* progress,
                                                std::string step) {
  if (progress == nullptr) return {};
  return [progress, step = std::move(step)](double share) {
    progress->Tell(step, share);
  };
}

// What work() returns, or work(progress) that tells it how far it is, with
// progress shown meanwhile.
template <class F>
auto WithProgress(std::string what, F&& work) {
  Progress progress(std::move(what));
  if constexpr (std::is_invocable_v<F, Progress*>) {
    return work(&progress);
  } else {
    return work();
  }
}

}  // namespace ranksight::cli
