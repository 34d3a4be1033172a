// Functions of the C library that the shared library stands in for. Each does
// what the next one of its name does.
#include <dlfcn.h>
#include <unistd.h>

#include "runtime/intercept/fatal_signals.h"
#include "runtime/intercept/next_tool.h"

namespace {

void (*next_abort)() = nullptr;

// In time: whoever aborts may hold the loader's lock. Behind those that find
// the MPI library's functions, which have no priority.
[[gnu::constructor]] void FindNext() {
  ranksight::runtime::ChainToNextTool();
  next_abort = reinterpret_cast<void (*)()>(dlsym(RTLD_NEXT, "abort"));
}

}  // namespace

extern "C" [[noreturn, gnu::visibility("default")]] void abort() noexcept {
  ranksight::runtime::WatchAbort();
  if (next_abort != nullptr) next_abort();
  // As a shell says of a process that aborted.
  constexpr int kAborted = 134;
  _exit(kAborted);
}
