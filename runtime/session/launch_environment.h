// Which job a process belongs to, and where that has its ranks, as launchers
// and batch systems tell their processes: Slurm, PBS, LSF, Open MPI's mpirun,
// Hydra.
//
// The environment is anybody's: what is longer than names of jobs are, what
// does not read as a number, and ranks on nodes that are not those of this run
// (of an allocation, where the run has a part of it) count as not known.
// Thread-safety: as getenv.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reduction/api/trace.h"

namespace ranksight::runtime {

struct NodesAndTasks {
  int64_t nodes = 0, tasks = 0;
};

// Of Slurm's text, "4(x2),3": 3 nodes and 11 tasks. Nothing for any other text.
std::optional<NodesAndTasks> CountTasks(const std::string& tasks_per_node);

// Of a process of a run on that many ranks.
reduction::Launch ReadLaunch(int64_t ranks);

}  // namespace ranksight::runtime
