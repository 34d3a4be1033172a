// The call path of the wrapper being run, as a site of the folder.
//
// Unwinding costs microseconds, so it is done once for each path. A path is
// known again when the return addresses still lie where they lay on the
// stack last time, at the same stack position and under the same immediate
// caller; then nothing is unwound. A stale slot can pass for a live one only
// where a caller left an unused hole of the same size at the same place.
//
// Thread-safety: Find must be called by one thread at a time (the recorder's
// lock); the cache itself is per thread.
#pragma once

#include <cstdint>

#include "reduction/api/folder.h"
#include "runtime/capture/modules.h"

namespace ranksight::runtime {

class CallPaths {
 public:
  // caller: return address of the wrapper; frame: its frame address.
  uint32_t Find(void* caller, void* frame, reduction::Folder* folder);
  Modules& modules() { return modules_; }

 private:
  Modules modules_;
};

}  // namespace ranksight::runtime
