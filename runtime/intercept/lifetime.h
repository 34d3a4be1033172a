// What the beginnings and ends of a recording share.
#pragma once

#include <mpi.h>

#include "runtime/capture/recorder.h"

namespace ranksight::runtime {

// Why a part is partial whose program did not come to MPI_Finalize.
inline constexpr char kWithoutFinalize[] = "ended_without_finalize";

// Whether the environment asks for nothing to be recorded.
bool Disabled();
// The clock that the environment asks for; before anything is measured.
void ChooseClock();
// After MPI is initialised: everybody as for Recorder::Start.
Recorder* StartRecorder(int rank, int ranks, MPI_Group everybody);
// Whether MPI_Init was seen, so that MPI_Finalize is to be the end.
bool HasWorld();
// This rank writes what it has recorded, and why that is partial, once.
void EndAlone(const char* why) noexcept;

}  // namespace ranksight::runtime
