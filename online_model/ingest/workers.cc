#include "online_model/ingest/workers.h"

#include <exception>
#include <utility>

namespace ranksight::online_model {

using reduction::Status;

Workers::Workers(size_t threads, std::function<Status(const Task&)> work,
                 std::function<void()> done)
    : work_(std::move(work)), done_(std::move(done)) {
  for (size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { Work(); });
  }
}

Workers::~Workers() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  given_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::Give(Task task) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  given_.notify_one();
}

std::vector<Workers::Verdict> Workers::TakeVerdicts() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(verdicts_, {});
}

void Workers::Work() {
  for (;;) {
    Task task;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      given_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
      if (ending_) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    Verdict verdict{task.ticket, task.client, task.trace.size(), task.is_whole,
                    Status::Ok()};
    try {
      verdict.status = work_(task);
    } catch (const std::exception& e) {  // out of memory, above all
      verdict.status = Status::Internal(e.what());
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      verdicts_.push_back(std::move(verdict));
    }
    done_();
  }
}

}  // namespace ranksight::online_model
