// LimitedLog: log lines of which nobody can make so many that they fill a disk.
// Beyond 20 within a second the last says that more are left out. Names in them
// come from clients: each stays one line that no terminal obeys.
// Thread-safety: may be called from any thread, and copied.
#pragma once

#include <chrono>
#include <functional>

#include "online_model/api/log.h"

namespace ranksight::online_model {

// log may be empty; then the result does nothing. now: the time of a line.
Log LimitedLog(Log log,
               std::function<std::chrono::steady_clock::time_point()> now =
                   &std::chrono::steady_clock::now);

}  // namespace ranksight::online_model
