// What `ranksight serve` says on stderr: lines to be read, or JSON to be
// collected, an object a line:
//
//   {"time": "2026-11-27T10:00:00.123Z", "level": "info", "user": "anna",
//    "key": "", "event": "stored", "message": "...", ...}
//
// `event` is "stored", with the run's job, program, ranks, seconds, bytes and
// whether it is complete, or "note". What clients sent is escaped.
// Thread-safety: pure functions; ServeLog may be called from any thread.
#pragma once

#include <cstdint>
#include <string>

#include "online_model/api/log.h"
#include "online_model/api/store.h"

namespace ranksight::cli {

// Without the newline.
std::string JsonLine(const online_model::LogEvent& event, int64_t unix_ns);
std::string JsonLine(const online_model::RunRecord& stored, int64_t unix_ns);
// "stored stencil2d on 4 ranks, 39.5 ms: PATH"
std::string StoredText(const online_model::RunRecord& run);

class ServeLog {
 public:
  explicit ServeLog(bool is_json) : is_json_(is_json) {}
  bool is_json() const { return is_json_; }
  void Say(const online_model::LogEvent& event) const;
  void SayStored(const online_model::RunRecord& run) const;

 private:
  const bool is_json_;
};

}  // namespace ranksight::cli
