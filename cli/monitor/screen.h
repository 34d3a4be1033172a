// The monitor on a terminal.
// Thread-safety: the main thread.
#pragma once

#include "cli/monitor/watch.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

// Until the user leaves (q). Keys: tab and arrows left and right change the
// program shown, up, down and page keys scroll. Follows the terminal's size.
// SIGINT and SIGTERM end the process as ever, after the terminal was given
// back. kIo when input and output are no terminal that can be drawn on.
reduction::Status ShowScreen(Watch* watch);

}  // namespace ranksight::cli
