// Folding: one item is one event, of a stencil's steady state or of a loop that
// leaves out one of its four calls at random.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "tests/bench/stencil_ranks.h"

namespace ranksight::bench {
namespace {

void FoldStencil(benchmark::State& state) {
  reduction::Folder folder;
  StencilRank stencil(0, 8);
  for (auto _ : state) stencil.Step(&folder);
  state.SetItemsProcessed(state.iterations() * StencilRank::kEventsAStep);
  state.counters["bytes"] = double(folder.memory_bytes());
}
BENCHMARK(FoldStencil);

// The time of an event must not grow with the iterations.
void FoldLeftOut(benchmark::State& state) {
  using reduction::Call;
  uint64_t events = 0;
  for (auto _ : state) {
    reduction::Folder folder;
    const uint32_t module = folder.AddModule({"00", "loop"});
    std::vector<reduction::Event> calls;
    for (uint64_t k = 0; k < 4; ++k) {
      calls.emplace_back(Call::MPI_Barrier_);
      calls.back().Add(0);
      calls.back().site = folder.AddSite({{{module, k}}});
    }
    std::minstd_rand random(1);
    for (int64_t i = 0; i < state.range(0); ++i) {
      for (size_t k = 0; k < 3; ++k) folder.Push(calls[k], 5, 1);
      events += 3;
      if (random() % 2 == 0) continue;
      folder.Push(calls[3], 5, 1);
      ++events;
    }
  }
  state.SetItemsProcessed(int64_t(events));
}
BENCHMARK(FoldLeftOut)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);

}  // namespace
}  // namespace ranksight::bench
