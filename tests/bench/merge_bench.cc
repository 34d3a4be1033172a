// Merging: one iteration unites two halves of a stencil's ranks.
#include <benchmark/benchmark.h>

#include <utility>

#include "reduction/api/merge.h"
#include "tests/bench/stencil_ranks.h"

namespace ranksight::bench {
namespace {

using reduction::Trace;

Trace MergeRange(int64_t first, int64_t last, int64_t side) {
  Trace all = FoldRank(first, side, 100);
  for (int64_t rank = first + 1; rank < last; ++rank) {
    auto merged = reduction::Merge(std::move(all), FoldRank(rank, side, 100));
    if (!merged.ok()) return {};
    all = std::move(*merged);
  }
  return all;
}

void MergeHalves(benchmark::State& state) {
  const int64_t side = state.range(0);
  const int64_t half = side * side / 2;
  const Trace low = MergeRange(0, half, side);
  const Trace high = MergeRange(half, side * side, side);
  for (auto _ : state) {
    auto merged = reduction::Merge(low, high);
    if (!merged.ok()) state.SkipWithError(merged.status().message().c_str());
    benchmark::DoNotOptimize(merged);
  }
}
BENCHMARK(MergeHalves)->Arg(4)->Arg(8)->Arg(16);

}  // namespace
}  // namespace ranksight::bench
