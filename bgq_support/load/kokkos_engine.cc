// Link loads in Kokkos' default execution space. Nothing but raw pointers to
// that space's memory and plain values is captured, so it runs on devices.
#include <Kokkos_Core.hpp>
#include <cstdlib>
#include <type_traits>

#define RANKSIGHT_KERNEL KOKKOS_INLINE_FUNCTION
#include "bgq_support/load/view.h"

namespace ranksight::bgq_support {
namespace {

struct KokkosAdd {
  RANKSIGHT_KERNEL void operator()(uint64_t* to, uint64_t value) const {
    Kokkos::atomic_add(to, value);
  }
};

// Kokkos cannot be started twice, so it stays until the program ends.
void StartKokkos() {
  if (Kokkos::is_initialized()) return;
  Kokkos::initialize();
  std::atexit([] {
    if (Kokkos::is_initialized()) Kokkos::finalize();
  });
}

template <class T>
using DeviceArray = Kokkos::View<T*>;
template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T>
DeviceArray<T> ToDevice(const std::vector<T>& from) {
  DeviceArray<T> to("ranksight", from.size());
  HostArray<T> host(const_cast<T*>(from.data()), from.size());
  Kokkos::deep_copy(to, host);
  return to;
}

void SumUp(const Plan& plan) {
  for (int dim = 0; dim < plan.dims; ++dim) {
    const int64_t lines = plan.nodes / plan.length[dim];
    Kokkos::parallel_for(
        "ranksight sum loads", Kokkos::RangePolicy<>(0, lines),
        KOKKOS_LAMBDA(const int64_t line) {
          MessageKernel<KokkosAdd>::SumLine(plan, dim, 0, line);
          MessageKernel<KokkosAdd>::SumLine(plan, dim, 1, line);
        });
  }
}

}  // namespace

bool KokkosIsParallel() {
#ifdef KOKKOS_ENABLE_SERIAL
  return !std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::Serial>;
#else
  return true;
#endif
}

uint64_t RunOnKokkos(const EngineInput& input,
                     std::vector<uint64_t>* differences) {
  StartKokkos();
  const auto turns = ToDevice(input.plan.turns);
  const auto coordinates = ToDevice(input.plan.coordinates);
  const auto node_of_rank = ToDevice(input.node_of_rank);
  const auto pieces = ToDevice(CutFlows(input.flows));
  const auto sums = ToDevice(*differences);
  Plan plan = PlanWithoutMemory(input);
  plan.turns = turns.data();
  plan.coordinates = coordinates.data();
  plan.differences = sums.data();
  const Flow* const flows = pieces.data();
  const int32_t* const nodes = node_of_rank.data();
  uint64_t local = 0;
  Kokkos::parallel_reduce(
      "ranksight add messages",
      Kokkos::RangePolicy<>(0, static_cast<int64_t>(pieces.size())),
      KOKKOS_LAMBDA(const int64_t i, uint64_t& sum) {
        sum += MessageKernel<KokkosAdd>::AddFlow(plan, nodes, flows[i]);
      },
      local);
  SumUp(plan);
  HostArray<uint64_t> result(differences->data(), differences->size());
  Kokkos::deep_copy(result, sums);
  return local;
}

}  // namespace ranksight::bgq_support
