// What a side-car has to say while it runs.
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "online_model/api/sender.h"

namespace ranksight::online_model {

enum class LogLevel : uint8_t { kInfo, kWarning, kError };

struct LogEvent {
  LogLevel level = LogLevel::kInfo;
  std::string text;  // one line
  Sender sender;     // whom it is about, where that is known
};

using Log = std::function<void(const LogEvent&)>;

}  // namespace ranksight::online_model
