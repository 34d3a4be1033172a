// Mappings of three kinds of traffic on a Blue Gene/Q midplane, 16 ranks a
// node: one iteration is one search. Counters: the most loaded link by
// default and in the best mapping found (bytes), and how much lower that is
// (per cent); the same for bytes x hops.
#include <benchmark/benchmark.h>

#include <string>

#include "bgq_support/api/optimise.h"

namespace ranksight::bench {
namespace {

using namespace bgq_support;

constexpr int64_t kRanks = 8192;

void Send(int64_t from, int64_t to, uint64_t bytes, Traffic* traffic) {
  if (from != to) traffic->flows.push_back({from, 0, to, 0, 1, bytes});
}

// Six neighbours in a periodic box of 32 x 16 x 16 ranks.
Traffic Stencil() {
  Traffic traffic;
  constexpr int64_t n[3] = {32, 16, 16};
  for (int64_t rank = 0; rank < kRanks; ++rank) {
    int64_t below = 1;
    for (int i = 2; i >= 0; below *= n[i--]) {
      const int64_t at = rank / below % n[i];
      for (const int64_t step : {int64_t{1}, n[i] - 1}) {
        Send(rank, rank + ((at + step) % n[i] - at) * below, 32768, &traffic);
      }
    }
  }
  return traffic;
}

// Rank (i, j) of a square of 64 with (j, i), on half of the midplane's ranks
// twice: 4,096 ranks on each half.
Traffic Transpose() {
  Traffic traffic;
  for (int64_t rank = 0; rank < kRanks; ++rank) {
    const int64_t i = rank / 64 % 64, j = rank % 64;
    Send(rank, rank / 4096 * 4096 + j * 64 + i, 32768, &traffic);
  }
  return traffic;
}

// NAS CG with 8,192 ranks: 64 rows of 128; sums over a row by exchange with
// the ranks that differ in one bit, and with the transposed rank (pairs of
// columns, as nprows * 2 = npcols).
Traffic ConjugateGradients() {
  Traffic traffic;
  for (int64_t rank = 0; rank < kRanks; ++rank) {
    for (int64_t bit = 1; bit < 128; bit *= 2) {
      Send(rank, rank ^ bit, 32768, &traffic);
    }
    const int64_t row = rank / 128, column = rank % 128;
    Send(rank, column / 2 * 128 + row * 2 + column % 2, 65536, &traffic);
  }
  return traffic;
}

void Map(benchmark::State& state, Traffic (*make)()) {
  std::string reason;
  const Machine machine = *Machine::Parse("bgq:512", &reason);
  const Traffic traffic = make();
  OptimiseOptions options;
  options.ranks_per_node = 16;
  const auto standard = *Mapping::FromOrder(machine, kRanks, 16, "", &reason);
  const auto before =
      *ComputeLoads(machine, standard, {}, traffic, Engine::kAuto, &reason);
  for (auto _ : state) {
    const auto best = Optimise(machine, kRanks, {}, traffic, options, &reason);
    if (!best) return state.SkipWithError(reason.c_str());
    state.counters["default"] = before.MaxBytes();
    state.counters["best"] = best->loads.MaxBytes();
    state.counters["lower%"] =
        100 * (1 - best->loads.MaxBytes() / before.MaxBytes());
    state.counters["hops_lower%"] =
        100 * (1 - best->loads.HopBytes() / before.HopBytes());
    state.SetLabel(best->how);
  }
}
BENCHMARK_CAPTURE(Map, stencil, &Stencil)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(Map, transpose, &Transpose)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(Map, cg, &ConjugateGradients)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace ranksight::bench
