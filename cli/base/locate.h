// Finding what belongs to this command: the libraries for programs, the
// replayer, and the machine's MPI launcher.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::cli {

// What goes into the programs.
inline constexpr const char* kRuntimeLibrary = "libranksight.so";
inline constexpr const char* kKokkosLibrary = "libranksight_kokkos.so";
// A library in ../lib or ../lib64 (or a multiarch folder below ../lib) of the
// folder this executable is in, absolute. kIo when it is not there.
reduction::Result<std::string> FindLibrary(const std::string& name);
// A program beside this executable.
reduction::Result<std::string> FindTool(const std::string& name);
// A program beside this executable that calls MPI, NAME or NAME-<mpi>: for the
// MPI of the launcher with these words, where that is known and there is one
// for it; else NAME.
reduction::Result<std::string> FindMpiTool(
    const std::string& name, const std::vector<std::string>& launcher);
// The same from a given folder, for tests.
reduction::Result<std::string> FindLibraryFrom(const std::string& bin_folder,
                                               const std::string& name);

// Whether this command was built and not installed: what it lacks can be built
// beside it.
bool IsInBuildTree();

// Whose launcher that is, "openmpi" or "mpich"; what RANKSIGHT_MPI says first.
// "" where it cannot be told (srun, scripts).
std::string MpiOfLauncher(const std::string& program);

// "mpiexec.mpich -n {ranks}" where that is on PATH (other MPI packages take
// over the plain name), "mpiexec -n {ranks}" otherwise.
std::string DefaultLauncher();
// The launcher that an option gives; where it gives none, the one above.
std::string LauncherOf(const std::string& option);

// Where the shell would find a program; "" where it would not.
std::string FindProgram(const std::string& program);

std::string AbsolutePath(const std::string& path);

}  // namespace ranksight::cli
