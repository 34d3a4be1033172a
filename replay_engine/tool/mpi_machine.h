// The machine that the MPI library itself says it runs on, where it is one
// with Blue Gene/Q's MPIX_Hardware, MPIX_Torus_ndims and MPIX_Rank2torus.
// Thread-safety: one thread; not collective.
#pragma once

#include "reduction/api/status.h"
#include "replay_engine/api/tuning.h"

namespace ranksight::replay_engine {

// kUsage where the library has no such calls, kIo where they fail or
// contradict themselves.
reduction::Result<Placement> PlacementOfMpi(int64_t ranks);

}  // namespace ranksight::replay_engine
