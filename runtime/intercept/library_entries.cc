// What a flavour does when the front opens it, and gives the front besides the
// functions of MPI.
#include "runtime/intercept/fatal_signals.h"
#include "runtime/intercept/next_tool.h"

namespace {

// Behind those that find the MPI library's functions, which have a priority.
[[gnu::constructor]] void FindNext() { ranksight::runtime::ChainToNextTool(); }

}  // namespace

// The process is about to abort.
extern "C" [[gnu::visibility("default")]] void ranksight_watch_abort() {
  ranksight::runtime::WatchAbort();
}
