#include "replay_engine/tool/host.h"

#include <mpi.h>

#include "replay_engine/tool/binding.h"

namespace ranksight::replay_engine {

ReplayHost PrepareHost(bool sleep, bool pin) {
  const HostRanks host = FindHostRanks();
  int mine = host.ranks > host.cores ? 1 : 0, oversubscribed = 0;
  PMPI_Allreduce(&mine, &oversubscribed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (sleep) return {MakeClock(Waiting::kSleep), false};
  const bool pinned = pin && BindToCores(host);
  return {
      MakeClock(oversubscribed != 0 ? Waiting::kSpinPolite : Waiting::kSpin),
      pinned};
}

}  // namespace ranksight::replay_engine
