// Which MPI library a process has, and which flavour of the runtime is for it.
// Thread-safety: pure functions of what is loaded.
#pragma once

#include <cstddef>

namespace ranksight::runtime {

struct MpiLibrary {
  void* handle = nullptr;      // nullptr: none is loaded
  const char* path = nullptr;  // the loader's
  bool at_start = false;       // the program was started with it
};

// The one that the program, or what it was started with, needs. A look-up.
MpiLibrary MpiAtStart();
// One that has been opened since (mpi4py, plug-ins). Its functions are then
// found by all, as those of one that was there at the start.
MpiLibrary MpiLoadedSince();

// The flavour's name, "mpich", "openmpi" or "abi". nullptr where there is none,
// with the reason in words, or "" where the user wants nothing recorded. asked:
// what RANKSIGHT_MPI says; nullptr: nothing.
const char* ChooseFlavour(const MpiLibrary& library, const char* asked,
                          char* reason, size_t room);

}  // namespace ranksight::runtime
