// Threads that check and store runs, and read what is seen of runs under way,
// apart from the thread that talks to clients.
// Invariant: every task given is answered once, unless the workers end first.
// Thread-safety: all methods from any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "online_model/api/sender.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

class Workers {
 public:
  struct Task {
    uint64_t ticket = 0;
    std::string client;
    Sender sender;
    std::vector<uint8_t> trace;  // encoded
    bool is_whole = true;        // else of a run that goes on
  };
  struct Verdict {
    uint64_t ticket = 0;
    std::string client;
    uint64_t bytes = 0;  // of the trace
    bool is_whole = true;
    reduction::Status status;
  };
  // work: called by several threads at a time. done: after each verdict,
  // must not block.
  Workers(size_t threads, std::function<reduction::Status(const Task&)> work,
          std::function<void()> done);
  // Ends after the tasks that have begun; the others are dropped.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void Give(Task task);
  std::vector<Verdict> TakeVerdicts();

 private:
  void Work();

  const std::function<reduction::Status(const Task&)> work_;
  const std::function<void()> done_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable given_;
  std::deque<Task> tasks_;
  std::vector<Verdict> verdicts_;
  bool ending_ = false;
  std::vector<std::thread> threads_;  // last: uses all of the above
};

}  // namespace ranksight::online_model
