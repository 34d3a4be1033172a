// The backend that makes real MPI calls, on any MPI-3; calls that
// came with MPI-4 where the MPI has them.
// Thread-safety: one backend belongs to one thread.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "replay_engine/api/backend.h"

namespace ranksight::replay_engine {

struct MpiBackendOptions {
  double bytes_scale = 1;  // >= 0
  uint64_t seed = 1;       // of the payload
  // Collectives that are point-to-point messages instead
  // (reduction/api/exchanges.h).
  std::set<reduction::Call> exchanges;
  // Folder of the files that stand in for the program's; all ranks see it.
  std::string scratch = ".";
  // PartitionCounts of the trace (reduction/api/partitions.h).
  std::set<int64_t> partitions;
};

// REQUIRES: between MPI_Init and MPI_Finalize, also for its destruction.
std::unique_ptr<Backend> MakeMpiBackend(const MpiBackendOptions& options);

}  // namespace ranksight::replay_engine
