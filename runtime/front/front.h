// What a flavour of the runtime asks the front that loaded it. A flavour is the
// runtime compiled against one MPI's header; the front is the only library that
// is preloaded or linked, and needs no MPI (docs/design/0034-flavours.md).
//
// The functions are the front's; weak, for the runtime is also linked
// statically into programs, where nobody stands in front.
// Thread-safety: any thread.
#pragma once

#include <cstddef>

extern "C" {

// The function of that name behind the front: another tool's, else the MPI
// library's. nullptr where there is none.
[[gnu::weak]] void* ranksight_front_next(const char* name);

// How many modules the process had when the program began.
[[gnu::weak]] size_t ranksight_front_modules();
}
