// Whether ranks share cores: on some host more of them than the cores that
// they may use.
#pragma once

#include <sched.h>

#include <cstdint>
#include <span>

namespace ranksight::runtime {

// What a host's ranks have. 0: not known.
struct HostCores {
  int64_t ranks = 0, cores = 0;
};

// Whether some of the ranks that may use these cores, each by its mask, cannot
// have one each. Pinned ranks share a core of two where both are pinned to it.
bool ShareCores(std::span<const cpu_set_t> masks);

// From what the launcher tells and the process may use; without a word to
// others.
HostCores CoresBeforeAsking();

// Collective over MPI_COMM_WORLD: whether ranks share cores anywhere. *here:
// those of this host, exactly where anybody had to ask.
bool AskForSharedCores(HostCores* here);

}  // namespace ranksight::runtime
