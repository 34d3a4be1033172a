#include "online_model/daemon/hourly.h"

#include <chrono>
#include <utility>

namespace ranksight::online_model {

Hourly::Hourly(std::function<void()> task)
    : task_(std::move(task)), thread_([this] { Run(); }) {}

Hourly::~Hourly() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Hourly::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::hours(1),
                         [this] { return ending_; })) {
    lock.unlock();
    task_();
    lock.lock();
  }
}

}  // namespace ranksight::online_model
