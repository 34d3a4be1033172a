// What hwloc reads of this host or of a description, destroyed at the end. For
// builds with hwloc alone.
// Thread-safety: a topology is one thread's.
#pragma once

#include <hwloc.h>

#include <memory>

namespace ranksight::bgq_support {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const {
    hwloc_topology_destroy(topology);
  }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, DestroyTopology>;

// describe(topology) says where it comes from, and gives 0 where that can be
// read; nothing for this host. nullptr where hwloc reads nothing.
template <class F>
HwlocTopology LoadTopology(F&& describe) {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) return nullptr;
  HwlocTopology topology(made);
  if (describe(made) != 0 || hwloc_topology_load(made) != 0) return nullptr;
  return topology;
}

}  // namespace ranksight::bgq_support
