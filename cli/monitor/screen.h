// The monitor on a terminal.
// Thread-safety: the main thread.
#pragma once

#include "cli/monitor/watch.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

// Until the user leaves (q). Keys: tab and arrows left and right change the
// program shown, up, down and page keys scroll. Follows the terminal's size.
// kIo when the output is no terminal that can be drawn on.
reduction::Status ShowScreen(Watch* watch);

}  // namespace ranksight::cli
