#include "online_model/ingest/limited_log.h"

#include <memory>
#include <mutex>
#include <utility>

#include "reduction/api/shown_text.h"

namespace ranksight::online_model {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLinesPerSecond = 20;

struct Limit {
  Limit(Log to, std::function<Clock::time_point()> time)
      : log(std::move(to)), clock(std::move(time)) {}

  void Add(LogEvent event) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto now = clock();
    if (left == kLinesPerSecond || now - since >= std::chrono::seconds(1)) {
      since = now;
      left = kLinesPerSecond;
    }
    if (left == 0) return;
    --left;
    if (left == 0) {
      return log(
          {LogLevel::kWarning, "more lines are left out for a second", {}});
    }
    for (std::string* text :
         {&event.text, &event.sender.key, &event.sender.user}) {
      *text = reduction::ShownName(*text);
    }
    log(event);
  }

  const Log log;
  const std::function<Clock::time_point()> clock;
  std::mutex mutex;  // guards what follows
  int left = kLinesPerSecond;
  Clock::time_point since;
};

}  // namespace

Log LimitedLog(Log log, std::function<Clock::time_point()> now) {
  if (!log) return [](const LogEvent&) {};
  return [limit = std::make_shared<Limit>(std::move(log), std::move(now))](
             const LogEvent& event) { limit->Add(event); };
}

}  // namespace ranksight::online_model
