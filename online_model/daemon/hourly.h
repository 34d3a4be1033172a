// Does something each hour, on a thread of its own.
// Thread-safety: made and destroyed by one thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace ranksight::online_model {

class Hourly {
 public:
  // The first time in an hour.
  explicit Hourly(std::function<void()> task);
  // Lets what has begun be done.
  ~Hourly();
  Hourly(const Hourly&) = delete;
  Hourly& operator=(const Hourly&) = delete;

 private:
  void Run();

  const std::function<void()> task_;
  std::mutex mutex_;  // guards ending_
  std::condition_variable wake_;
  bool ending_ = false;
  std::thread thread_;  // last: uses all of the above
};

}  // namespace ranksight::online_model
