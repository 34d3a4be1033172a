// Finding what belongs to this command: the runtime library, the replayer,
// and the machine's MPI launcher.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "reduction/api/status.h"

namespace ranksight::cli {

// libranksight.so in ../lib or ../lib64 (or a multiarch folder below ../lib)
// of the folder this executable is in, absolute. kIo when it is not there.
reduction::Result<std::string> FindRuntimeLibrary();
// A program beside this executable.
reduction::Result<std::string> FindTool(const std::string& name);
// The same from a given folder, for tests.
reduction::Result<std::string> FindRuntimeLibraryFrom(
    const std::string& bin_folder);

// "mpiexec.mpich -n {ranks}" where that is on PATH (other MPI packages take
// over the plain name), "mpiexec -n {ranks}" otherwise.
std::string DefaultLauncher();

std::string AbsolutePath(const std::string& path);

}  // namespace ranksight::cli
