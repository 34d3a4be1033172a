// Traces to bytes and back: one iteration is one whole trace.
#include <benchmark/benchmark.h>

#include "reduction/api/codec.h"
#include "tests/bench/stencil_ranks.h"

namespace ranksight::bench {
namespace {

using reduction::SketchForm;

void EncodeTrace(benchmark::State& state) {
  const reduction::Trace trace = MergedTrace(state.range(0), 200);
  size_t bytes = 0;
  for (auto _ : state) {
    bytes = reduction::Encode(trace, SketchForm::kQuantiles).size();
  }
  state.counters["bytes"] = double(bytes);
}
BENCHMARK(EncodeTrace)->Arg(4)->Arg(8)->Arg(16);

void DecodeTrace(benchmark::State& state) {
  const auto bytes = reduction::Encode(MergedTrace(state.range(0), 200),
                                       SketchForm::kQuantiles);
  for (auto _ : state) {
    auto trace = reduction::Decode(bytes);
    if (!trace.ok()) state.SkipWithError(trace.status().message().c_str());
    benchmark::DoNotOptimize(trace);
  }
}
BENCHMARK(DecodeTrace)->Arg(4)->Arg(8)->Arg(16);

}  // namespace
}  // namespace ranksight::bench
