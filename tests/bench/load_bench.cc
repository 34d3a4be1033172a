// Link loads of a 26-neighbour exchange, periodic, ranks in a cube: one
// iteration computes all loads. Argument: 0 on threads, 1 in Kokkos.
#include <benchmark/benchmark.h>

#include <string>

#include "bgq_support/api/network.h"

namespace ranksight::bench {
namespace {

using namespace bgq_support;

// Flows as traces give them: runs of ranks whose neighbour lies at the same
// offset.
Traffic Neighbours26(const int64_t (&n)[3]) {
  Traffic traffic;
  for (int way = 0; way < 27; ++way) {
    if (way == 13) continue;
    const int64_t d[3] = {way / 9 - 1, way / 3 % 3 - 1, way % 3 - 1};
    for (int64_t rank = 0; rank < n[0] * n[1] * n[2]; ++rank) {
      const int64_t at[3] = {rank / n[2] / n[1], rank / n[2] % n[1],
                             rank % n[2]};
      int64_t peer = 0;
      for (int i = 0; i < 3; ++i) {
        peer = peer * n[i] + (at[i] + d[i] + n[i]) % n[i];
      }
      Flow* last = traffic.flows.empty() ? nullptr : &traffic.flows.back();
      if (rank != 0 && last->peer + last->count == peer) {
        ++last->count;
      } else {
        traffic.flows.push_back({rank, 1, peer, 1, 1, 8192});
      }
    }
  }
  return traffic;
}

void Loads(benchmark::State& state, const char* shape, int per_node,
           const int64_t (&grid)[3]) {
  std::string reason;
  const Machine machine = *Machine::Parse(shape, &reason);
  const auto mapping =
      *Mapping::FromOrder(machine, int64_t{machine.torus.nodes()} * per_node,
                          per_node, "", &reason);
  const Traffic traffic = Neighbours26(grid);
  const Engine engine = state.range(0) ? Engine::kKokkos : Engine::kThreads;
  for (auto _ : state) {
    auto loads = ComputeLoads(machine, mapping, {}, traffic, engine, &reason);
    if (!loads) state.SkipWithError(reason.c_str());
    benchmark::DoNotOptimize(loads);
  }
}
BENCHMARK_CAPTURE(Loads, ranks_262144, "8x8x16x8x2", 16, {64, 64, 64})
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(Loads, ranks_1048576, "16x8x16x16x2", 16, {64, 128, 128})
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// 16,384 nodes, 16 ranks a node.
void OnNetwork(benchmark::State& state, const char* name, bool valiant) {
  std::string reason;
  Network network = *Network::Parse(name, &reason);
  if (valiant) network.RouteBy("valiant", &reason);
  const int64_t ranks = network.nodes() * 16;
  const auto mapping = *PlaceInOrder(network, ranks, 16, &reason);
  const Traffic traffic = Neighbours26({64, 64, 64});
  for (auto _ : state) {
    auto loads = ComputeLoads(network, mapping, traffic, &reason);
    if (!loads) state.SkipWithError(reason.c_str());
    benchmark::DoNotOptimize(loads);
  }
}
BENCHMARK_CAPTURE(OnNetwork, fat_tree, "fat-tree:32x32x16:1x16x16", false)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(OnNetwork, dragonfly, "dragonfly:64x16x16", false)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(OnNetwork, valiant, "dragonfly:64x16x16", true)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace ranksight::bench
