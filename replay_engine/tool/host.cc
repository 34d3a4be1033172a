#include "replay_engine/tool/host.h"

#include <mpi.h>
#include <unistd.h>

namespace ranksight::replay_engine {
namespace {

bool Oversubscribed() {
  MPI_Comm host = MPI_COMM_NULL;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                       &host);
  int ranks = 1;
  PMPI_Comm_size(host, &ranks);
  PMPI_Comm_free(&host);
  int mine = ranks > sysconf(_SC_NPROCESSORS_ONLN) ? 1 : 0, any = 0;
  PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any != 0;
}

}  // namespace

std::unique_ptr<Clock> MakeHostClock(bool sleep) {
  if (sleep) return MakeClock(Waiting::kSleep);
  return MakeClock(Oversubscribed() ? Waiting::kSpinPolite : Waiting::kSpin);
}

}  // namespace ranksight::replay_engine
