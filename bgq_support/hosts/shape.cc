// Packages and cores of a host.
#include "bgq_support/hosts/scan.h"

#ifdef RANKSIGHT_HWLOC
#include "bgq_support/hosts/hwloc_topology.h"
#endif

namespace ranksight::bgq_support {

std::optional<HostShape> HostShape::Parse(std::string_view text) {
  const size_t x = text.find('x');
  if (x == text.npos) return std::nullopt;
  const auto packages = SlotCount(text.substr(0, x));
  const auto cores = SlotCount(text.substr(x + 1));
  if (!packages || !cores || *packages > kMostPackages) return std::nullopt;
  return HostShape{*packages, *cores};
}

#ifdef RANKSIGHT_HWLOC
namespace {

int CoresIn(hwloc_topology_t topology, hwloc_obj_t object) {
  return hwloc_get_nbobjs_inside_cpuset_by_type(topology, object->cpuset,
                                                HWLOC_OBJ_CORE);
}

}  // namespace

std::optional<HostShape> HostShape::FromHwloc(const std::string& path,
                                              std::string* reason) {
  const HwlocTopology topology = LoadTopology([&path](hwloc_topology_t all) {
    return path.empty() ? 0 : hwloc_topology_set_xml(all, path.c_str());
  });
  if (topology == nullptr) {
    *reason = path.empty() ? "hwloc cannot look at this host"
                           : "no topology that hwloc reads";
    return std::nullopt;
  }
  hwloc_topology_t all = topology.get();
  const int packages = hwloc_get_nbobjs_by_type(all, HWLOC_OBJ_PACKAGE);
  const int cores = hwloc_get_nbobjs_by_type(all, HWLOC_OBJ_CORE);
  // Some virtual machines name none.
  if (packages < 1) return HostShape{1, cores < 1 ? 1 : cores};
  if (packages > kMostPackages) {
    *reason = "more than " + std::to_string(kMostPackages) + " packages";
    return std::nullopt;
  }
  HostShape shape{packages, cores / packages};
  for (int i = 0; i < packages; ++i) {
    hwloc_obj_t package =
        hwloc_get_obj_by_type(all, HWLOC_OBJ_PACKAGE, static_cast<unsigned>(i));
    if (shape.cores_per_package > 0 &&
        CoresIn(all, package) == shape.cores_per_package) {
      continue;
    }
    *reason = "packages of different numbers of cores";
    return std::nullopt;
  }
  return shape;
}

#else

std::optional<HostShape> HostShape::FromHwloc(const std::string&,
                                              std::string* reason) {
  *reason = "built without hwloc";
  return std::nullopt;
}

#endif

}  // namespace ranksight::bgq_support
