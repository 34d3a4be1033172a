#include "bgq_support/api/load.h"

#include <algorithm>

#include "bgq_support/base/contract.h"
#include "bgq_support/load/check.h"
#include "bgq_support/load/plan.h"

namespace ranksight::bgq_support {
namespace {

std::vector<int32_t> NodeOfRank(const Mapping& mapping) {
  std::vector<int32_t> nodes;
  nodes.reserve(mapping.places().size());
  for (const Place& place : mapping.places()) nodes.push_back(place.node);
  return nodes;
}

}  // namespace

uint64_t LinkLoads::At(const Torus& torus, const Link& link) const {
  RANKSIGHT_REQUIRE(link.node >= 0 && link.node < torus.nodes());
  RANKSIGHT_REQUIRE(link.dim >= 0 && link.dim < torus.dims());
  const auto lines = static_cast<size_t>(link.dim * 2 + (link.up ? 1 : 0));
  return load[lines * static_cast<size_t>(torus.nodes()) +
              static_cast<size_t>(link.node)];
}

double LinkLoads::MaxBytes() const {
  if (load.empty()) return 0;
  return static_cast<double>(*std::max_element(load.begin(), load.end())) /
         static_cast<double>(scale);
}

double LinkLoads::HopBytes() const {
  Wide sum = 0;
  for (const uint64_t v : load) sum += v;
  return static_cast<double>(sum) / static_cast<double>(scale);
}

double LinkLoads::MaxSeconds(const Machine& machine) const {
  return MaxBytes() / machine.bandwidth;
}

bool HasKokkos() {
#ifdef RANKSIGHT_HAS_KOKKOS
  return true;
#else
  return false;
#endif
}

#ifndef RANKSIGHT_HAS_KOKKOS
bool KokkosIsParallel() { return false; }
uint64_t RunOnKokkos(const EngineInput& input,
                     std::vector<uint64_t>* differences) {
  return RunOnThreads(input, differences);
}
#endif

std::optional<LinkLoads> ComputeLoads(const Machine& machine,
                                      const Mapping& mapping,
                                      const Routing& routing,
                                      const Traffic& traffic, Engine engine,
                                      std::string* reason) {
  RANKSIGHT_REQUIRE(reason != nullptr);
  if (engine == Engine::kKokkos && !HasKokkos()) {
    *reason = "built without Kokkos";
    return std::nullopt;
  }
  const HostPlan plan(machine.torus, routing);
  Wide sent = 0;
  if (!CheckTraffic(traffic, mapping.ranks(), &sent, reason))
    return std::nullopt;
  // Loads are whole numbers over a common denominator: no order of additions
  // changes them, on any engine.
  if (sent * plan.scale >= Wide{1} << 63) {
    *reason = "too many bytes for exact loads with this routing";
    return std::nullopt;
  }
  const std::vector<int32_t> node_of_rank = NodeOfRank(mapping);
  const EngineInput input{machine.torus, routing.half_way == HalfWay::kBoth,
                          plan, node_of_rank, traffic.flows};
  LinkLoads loads;
  loads.scale = plan.scale;
  loads.sent_bytes = static_cast<uint64_t>(sent);
  loads.load.assign(static_cast<size_t>(machine.torus.dims()) * 2 *
                        static_cast<size_t>(machine.torus.nodes()),
                    0);
  AddExchanges(input, traffic.exchanges, &loads.load, &loads.local_bytes);
  const bool kokkos = engine == Engine::kKokkos ||
                      (engine == Engine::kAuto && KokkosIsParallel());
  loads.local_bytes += kokkos ? RunOnKokkos(input, &loads.load)
                              : RunOnThreads(input, &loads.load);
  return loads;
}

}  // namespace ranksight::bgq_support
