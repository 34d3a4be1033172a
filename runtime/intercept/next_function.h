// The next function of a name behind ours: of another tool, else of the MPI
// library.
// Thread-safety: any thread.
#pragma once

#include <dlfcn.h>

#include "runtime/front/front.h"

namespace ranksight::runtime {

// nullptr where there is none. Only the front has a place in the loader's order
// of libraries, where it is there; a flavour has been opened.
inline void* NextFunction(const char* name) noexcept {
  return ranksight_front_next != nullptr ? ranksight_front_next(name)
                                         : dlsym(RTLD_NEXT, name);
}

}  // namespace ranksight::runtime
