#include "replay_engine/tool/binding.h"

#include <mpi.h>
#include <unistd.h>

#include <climits>
#include <memory>
#include <vector>

#ifdef RANKSIGHT_HWLOC
#include <hwloc.h>
#endif

namespace ranksight::replay_engine {
namespace {

#ifdef RANKSIGHT_HWLOC

struct FreeSet {
  void operator()(hwloc_bitmap_t set) const { hwloc_bitmap_free(set); }
};
using CpuSet = std::unique_ptr<hwloc_bitmap_s, FreeSet>;

// The host without what this process may not use.
class Host {
 public:
  Host() {
    if (hwloc_topology_init(&topology_) != 0) return;
    known_ = hwloc_topology_load(topology_) == 0;
  }
  ~Host() {
    if (topology_ != nullptr) hwloc_topology_destroy(topology_);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  int cores() const {
    if (!known_) return 0;
    return hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_CORE);
  }
  // Whether somebody bound this thread to some of them.
  bool IsBound() const {
    const CpuSet now(hwloc_bitmap_alloc());
    return hwloc_get_cpubind(topology_, now.get(), HWLOC_CPUBIND_THREAD) != 0 ||
           hwloc_bitmap_isincluded(hwloc_topology_get_allowed_cpuset(topology_),
                                   now.get()) == 0;
  }
  bool Bind(int place, int of) const {
    std::vector<hwloc_bitmap_t> sets(static_cast<size_t>(of), nullptr);
    hwloc_obj_t root = hwloc_get_root_obj(topology_);
    if (hwloc_distrib(topology_, &root, 1, sets.data(),
                      static_cast<unsigned>(of), INT_MAX, 0) != 0) {
      return false;
    }
    std::vector<CpuSet> owned;
    for (hwloc_bitmap_t set : sets) owned.emplace_back(set);
    hwloc_bitmap_t mine = owned[static_cast<size_t>(place)].get();
    hwloc_bitmap_singlify(mine);
    return hwloc_set_cpubind(topology_, mine, HWLOC_CPUBIND_THREAD) == 0;
  }

 private:
  hwloc_topology_t topology_ = nullptr;
  bool known_ = false;
};

// Looking at it takes milliseconds: once.
const Host& ThisHost() {
  static const Host host;
  return host;
}

int CoresByHwloc() { return ThisHost().cores(); }

bool Bind(const HostRanks& host) {
  const Host& here = ThisHost();
  return here.cores() >= host.ranks && !here.IsBound() &&
         here.Bind(host.rank, host.ranks);
}

#else

int CoresByHwloc() { return 0; }
bool Bind(const HostRanks&) { return false; }

#endif

bool OnAll(bool mine) {
  int here = mine ? 1 : 0, all = 0;
  PMPI_Allreduce(&here, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

}  // namespace

HostRanks FindHostRanks() {
  MPI_Comm host = MPI_COMM_NULL;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                       &host);
  HostRanks found;
  PMPI_Comm_rank(host, &found.rank);
  PMPI_Comm_size(host, &found.ranks);
  PMPI_Comm_free(&host);
  found.cores = CoresByHwloc();
  if (found.cores < 1) {
    found.cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  }
  return found;
}

bool BindToCores(const HostRanks& host) { return OnAll(Bind(host)); }

}  // namespace ranksight::replay_engine
