// What a flavour does when the front opens it, and gives the front besides the
// functions of MPI.
#include "runtime/intercept/fatal_error.h"
#include "runtime/intercept/fatal_signals.h"
#include "runtime/intercept/next_tool.h"

namespace {

// Behind those that find the MPI library's functions, which have a priority.
[[gnu::constructor]] void FindNext() { ranksight::runtime::ChainToNextTool(); }

}  // namespace

// An MPI call has failed. comm: the MPI library's own, or nullptr.
extern "C" [[gnu::visibility("default")]] void ranksight_watch_error(
    const void* comm) {
  ranksight::runtime::WatchError(comm);
}

// The process is about to abort.
extern "C" [[gnu::visibility("default")]] void ranksight_watch_abort() {
  ranksight::runtime::WatchAbort();
}
