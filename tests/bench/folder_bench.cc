// Folding: one item is one event of a stencil's steady state.
#include <benchmark/benchmark.h>

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

}  // namespace
}  // namespace ranksight::bench
