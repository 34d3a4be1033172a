#include "runtime/capture/shared_cores.h"

#include <mpi.h>

#include <cstdlib>
#include <vector>

namespace ranksight::runtime {
namespace {

// What launchers tell their processes: Hydra, Open MPI, Slurm.
int64_t RanksOnHost() {
  for (const char* name :
       {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", "PMI_LOCAL_SIZE"}) {
    const char* value = getenv(name);
    if (value != nullptr && atoll(value) > 0) return atoll(value);
  }
  return 0;
}

// Empty where there are more processors than a mask has room for.
cpu_set_t MaskOfProcess() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) CPU_ZERO(&set);
  return set;
}

cpu_set_t UnionOf(std::span<const cpu_set_t> masks) {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (const cpu_set_t& mask : masks) CPU_OR(&all, &all, &mask);
  return all;
}

bool IsWithin(const cpu_set_t& mask, const cpu_set_t& other) {
  cpu_set_t both;
  CPU_AND(&both, &mask, &other);
  return CPU_EQUAL(&both, &mask) != 0;
}

// Of those that may use no more than `cores`.
bool ShareThese(std::span<const cpu_set_t> masks, const cpu_set_t& cores) {
  int ranks = 0;
  for (const cpu_set_t& mask : masks) ranks += IsWithin(mask, cores) ? 1 : 0;
  return ranks > CPU_COUNT(&cores);
}

#if !defined(SMPI_H)
// Collective over `host`, which is freed.
std::vector<cpu_set_t> MasksOnHost(MPI_Comm host) {
  int ranks = 0;
  PMPI_Comm_size(host, &ranks);
  std::vector<cpu_set_t> masks(static_cast<size_t>(ranks));
  const cpu_set_t mine = MaskOfProcess();
  PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, masks.data(), sizeof mine,
                 MPI_BYTE, host);
  PMPI_Comm_free(&host);
  return masks;
}

bool IsTrueAnywhere(bool here) {
  int any = here ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any != 0;
}
#endif

}  // namespace

bool ShareCores(std::span<const cpu_set_t> masks) {
  const cpu_set_t all = UnionOf(masks);
  if (CPU_COUNT(&all) == 0) return false;  // not known
  if (ShareThese(masks, all)) return true;
  for (size_t i = 0; i < masks.size(); ++i) {
    // Most ranks are bound as their neighbour is, or to all.
    if (i > 0 && CPU_EQUAL(&masks[i], &masks[i - 1])) continue;
    if (CPU_COUNT(&masks[i]) > 0 && ShareThese(masks, masks[i])) return true;
  }
  return false;
}

HostCores CoresBeforeAsking() {
  const cpu_set_t mine = MaskOfProcess();
  HostCores here{RanksOnHost(), CPU_COUNT(&mine)};
  return here.ranks > 0 ? here : HostCores();
}

#if defined(SMPI_H)
// Simulated ranks have what the simulation gives them.
bool AskForSharedCores(HostCores* here) {
  *here = CoresBeforeAsking();
  return false;
}
#else
bool AskForSharedCores(HostCores* here) {
  *here = CoresBeforeAsking();
  // Where every rank could have a core of those that it may use itself, and
  // nobody is bound, there is nothing to ask.
  const bool may_share = here->ranks == 0 || here->ranks > here->cores;
  if (!IsTrueAnywhere(may_share)) return false;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm host = MPI_COMM_NULL;
  if (PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank,
                           MPI_INFO_NULL, &host) != MPI_SUCCESS) {
    return false;
  }
  const std::vector<cpu_set_t> masks = MasksOnHost(host);
  const cpu_set_t all = UnionOf(masks);
  *here = {int64_t(masks.size()), CPU_COUNT(&all)};
  return IsTrueAnywhere(ShareCores(masks));
}
#endif

}  // namespace ranksight::runtime
