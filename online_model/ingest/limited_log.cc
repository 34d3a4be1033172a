#include "online_model/ingest/limited_log.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <utility>

#include "reduction/api/shown_text.h"

namespace ranksight::online_model {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLinesPerSecond = 20;

struct Limit {
  explicit Limit(Log to) : log(std::move(to)) {}

  void Add(const std::string& line) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto now = Clock::now();
    if (left == kLinesPerSecond || now - since >= std::chrono::seconds(1)) {
      since = now;
      left = kLinesPerSecond;
    }
    if (left == 0) return;
    --left;
    log(left == 0 ? "more lines are left out for a second"
                  : reduction::ShownName(line));
  }

  const Log log;
  std::mutex mutex;  // guards what follows
  int left = kLinesPerSecond;
  Clock::time_point since;
};

}  // namespace

Log LimitedLog(Log log) {
  if (!log) return [](const std::string&) {};
  return [limit = std::make_shared<Limit>(std::move(log))](
             const std::string& line) { limit->Add(line); };
}

}  // namespace ranksight::online_model
